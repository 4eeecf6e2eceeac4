"""The causes of findings, decided when a stage reports them.

| module | what it explains, and by what |
|---|---|
| ``behaviors`` | an error, or what the servers resolved otherwise: by a behavior that the application shows there |
| ``results`` | other results of a statement: by the behaviors that the statement shows |
| ``plans`` | another plan: by what differs in it |
| ``effects`` | what follows from another finding, and is reported with it |
"""
