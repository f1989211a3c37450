"""Published encirclement laws, one per file, for comparison; docs/peers.md compares them.

Each file has only the law's own equation. The rest is that of ``soliton``
(``ring_flight``), so that all of them have the same feed-forward, lag inversion and limits.
"""
