"""Autopilots on the wire: topics to reports, and requests to messages."""
