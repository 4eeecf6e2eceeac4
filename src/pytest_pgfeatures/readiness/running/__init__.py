"""Modules that the stages share that run something: contents of tables, executions, parameters."""
