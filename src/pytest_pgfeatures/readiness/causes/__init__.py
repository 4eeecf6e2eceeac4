"""The causes of findings, decided when a stage reports them.

| module | what it explains, and by what |
|---|---|
| ``behaviors`` | an error, or other results: by a behavior that the application shows there |
| ``effects`` | what follows from another finding, and is reported with it |
"""
