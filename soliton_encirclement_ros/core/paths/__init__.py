"""Paths that members of a scenario fly: files, recordings, and the leaders on them."""
