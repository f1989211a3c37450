"""Separation filter: the last pure step before a command leaves an agent.

Its argument and its limits: docs/concepts/separation.md.
"""
