"""Flight: modes, controller, take-off, landing, body."""
