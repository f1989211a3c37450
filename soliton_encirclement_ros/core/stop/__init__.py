"""The emergency stop: orders, which of them counts, and the operator's heartbeat."""
