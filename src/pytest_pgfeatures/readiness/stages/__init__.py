"""The stages: the module with a stage's name has its function ``look``.

``created_objects`` and ``bodies`` belong to the stage ``schema``, ``places`` is for several.
"""
