"""Running what exists already on every version: any command, and extensions."""
