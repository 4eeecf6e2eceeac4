"""What the stages that run something share: contents of tables, executions, parameters, upgrades."""
