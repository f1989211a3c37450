"""Autopilots on the wire: their topics read into reports, and what is sent to them."""
