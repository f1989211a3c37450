"""Published encirclement laws, one per file, to be flown beside ours; docs/peers.md compares them.

Each file has the law's own equation and nothing else. The rest is that of ``soliton``
(``ring_flight``), so that all of them have the same feed-forward, lag inversion and limits.
"""
