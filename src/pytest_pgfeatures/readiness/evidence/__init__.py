"""Changes between two versions, as an application shows them: the evidence, and the verdict on each behavior."""
