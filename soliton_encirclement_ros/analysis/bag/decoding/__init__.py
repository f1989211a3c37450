"""From serialized messages to columns of numbers."""
