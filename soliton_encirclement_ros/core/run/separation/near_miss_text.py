"""Smallest separation and near misses of a summary, in words."""

from collections.abc import Mapping
from typing import Any

from soliton_encirclement_ros.core.run.separation.near_misses import RATES, THRESHOLDS


def closest_text(summary: Mapping[str, Any]) -> str:
    """Return the smallest separation of two agents, with pair and time if they are known."""
    separation, pair = summary['min_separation_m'], summary.get('min_separation_pair')
    if separation is None:
        return 'never two agents at once'
    found = f'smallest separation {separation:.2f} m'
    if not pair:
        return found
    return f'{found} ({" and ".join(pair)} at {summary["min_separation_time_s"]:.2f} s)'


def near_miss_text(summary: Mapping[str, Any]) -> str:
    """Return the near misses per minute, empty where they are unknown."""
    rates = [summary.get(key) for key in RATES]
    known = [
        f'{rate:.1f} below {distance:g} m'
        for rate, distance in zip(rates, THRESHOLDS, strict=True) if rate is not None
    ]  # fmt: skip
    return f'near misses per min: {", ".join(known)}' if known else ''
