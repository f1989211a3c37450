"""What the separation filter did, and what was out of bounds, of a summary, in words."""

from collections.abc import Mapping
from typing import Any

from soliton_encirclement_ros.core.run.separation.filter_tally import BY_REASON, PAIRS, SHARE
from soliton_encirclement_ros.core.run.separation.flight_bounds import BEYOND, NOT_FINITE, OUTSIDE

FAULTS = {
    BEYOND: 'commands beyond the limits',
    NOT_FINITE: 'commands that are not finite',
    OUTSIDE: 'positions outside the fence or the heights',
}
"""What should be 0, by its key."""


def filter_text(summary: Mapping[str, Any]) -> str:
    """Return the share of commands that the filter changed, empty without a filter."""
    share = summary.get(SHARE)
    if share is None:
        return ''
    reasons = [
        f'{name} {100.0 * part:.1f} %' for name, part in (summary.get(BY_REASON) or {}).items()
    ]
    found = f'filter changed {100.0 * share:.1f} % of the commands'
    found += f' ({", ".join(reasons)})' if reasons else ''
    pairs = summary.get(PAIRS)
    if pairs:
        most = pairs[0]
        found += f', most often of {most["agent"]} by {most["pusher"]} ({most["count"]} times)'
    return found


def fault_text(summary: Mapping[str, Any]) -> str:
    """Return what was out of bounds, empty if nothing was."""
    found = [f'{text}: {summary[key]}' for key, text in FAULTS.items() if summary.get(key)]
    return ', '.join(found)
