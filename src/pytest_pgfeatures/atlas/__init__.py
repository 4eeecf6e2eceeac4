"""The atlas: every documented behavior; one folder per major that changed it, one module per area."""
