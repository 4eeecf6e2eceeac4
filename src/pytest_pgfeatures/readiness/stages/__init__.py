"""The stages, and what only they need. A stage's module has its name, and a function ``look``.

| stage | its module, and those beside it |
|---|---|
| ``suite`` | ``suite`` |
| ``settings`` | ``settings`` |
| ``schema`` | ``schema``, ``created_objects``, ``bodies`` |
| ``queries`` | ``queries`` |
| ``plans`` | ``plans`` |
| ``results`` | ``results`` |
| ``upgrade`` | ``upgrade`` |
| ``incompatibilities`` | ``incompatibilities`` |

``places`` is for several stages.
"""
