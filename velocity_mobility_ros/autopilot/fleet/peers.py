"""Which vehicles belong to a fleet, as their bridges hear of each other.

Somebody who looks for all vehicles at once, and finds them one after the other, asks any bridge
whom it knows.
"""

from collections.abc import Mapping
from typing import NamedTuple

SILENT = 2.0
"""Age of the last report from which on a bridge is silent [s]: each reports twice a second."""

FORGOTTEN = 60.0
"""Time after which a silent vehicle is forgotten that stood, disarmed: it was switched off [s]."""

MAX_PEERS = 1000
"""Vehicles that are remembered."""


class Peer(NamedTuple):
    """Another vehicle, by the last report of its bridge.

    Attributes:
        heard_at: When it came [monotonic s].
        what: What the bridge did, in words.
        is_armed: Whether the vehicle was armed, or may have been.
    """

    heard_at: float
    what: str
    is_armed: bool


Peers = Mapping[str, Peer]
"""By name of the vehicle."""


def with_peer(peers: Peers, name: str, peer: Peer) -> Peers:
    """Return the vehicles after a report of one."""
    if name not in peers and len(peers) >= MAX_PEERS:
        return peers
    return {**peers, name: peer}


def remembered(peers: Peers, now: float) -> Peers:
    """Return the vehicles that count at a time [s]: one that was in the air is never forgotten."""
    return {
        name: peer for name, peer in peers.items()
        if peer.is_armed or now - peer.heard_at <= FORGOTTEN
    }  # fmt: skip


def silent(peers: Peers, now: float) -> dict[str, str]:
    """Return the silent bridges at a time [s]: what each said last, and how long ago."""
    return {
        name: f'{peer.what} {now - peer.heard_at:.0f} s ago'
        for name, peer in sorted(peers.items())
        if now - peer.heard_at > SILENT
    }
