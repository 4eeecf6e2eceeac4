"""The stages: the module with a stage's name has its function ``look``.

``created_objects`` belongs to the stage ``schema``, ``places`` is for several.
"""
