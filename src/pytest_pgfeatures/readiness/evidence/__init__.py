"""How the changes between two versions show in an application: the evidence, and the verdict on each behavior."""
