"""Separation filter: the last pure step before a command leaves an agent (docs/separation.md)."""
