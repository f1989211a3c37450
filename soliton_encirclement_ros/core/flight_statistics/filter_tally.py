"""Counts of the separation filter's changes to the commands of agents that fly.

The engine compiles ``count_command``: there the records hold arrays, elsewhere lists and
dictionaries.

What the filter did, and what was out of bounds, is told in words (``filter_text``).
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.flight_statistics.agent_statistics import (
    BEYOND, NOT_FINITE, OUTSIDE
)
from soliton_encirclement_ros.core.laws.filter_codes import (
    ADVERSARY_ID, LEAST_ID, NOBODY, NONE, OTHER_ID, REASONS, TARGET_ID
)
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav

FLYING = len(REASONS)
"""Place of the number of all commands of agents that fly, behind those of the reasons."""

TALLY_SIZE = FLYING + 1

ANOTHER = 'another vehicle'
"""Name of those that are known by their odometry alone."""

MOST_PAIRS = 10
"""Pairs in a summary, at most."""

SHARE, BY_REASON, PAIRS = 'filtered_share', 'filtered_share_by_reason', 'filtered_pairs'
"""Keys of a summary."""


class FilterTally(NamedTuple):
    """Counts of commands.

    Attributes:
        reasons: (TALLY_SIZE,) by reason, then all.
        pushed: By agent: how often each other body, in the place ``id - LEAST_ID``, caused a
            change.
    """

    reasons: Any
    pushed: Any


def no_commands() -> FilterTally:
    """Return the counts of an observer that is not compiled; agents may have any number."""
    return FilterTally([0] * TALLY_SIZE, defaultdict(_no_pushes))


def _no_pushes() -> dict[int, int]:
    return defaultdict(int)


def count_command(tally: FilterTally, agent: int, reason: int, pusher: int) -> None:
    """Count a command of an agent that flies."""
    tally.reasons[FLYING] += 1
    if reason == NONE:
        return
    tally.reasons[reason] += 1
    if pusher != NOBODY:
        tally.pushed[agent][pusher - LEAST_ID] += 1


def pushes(
    pushed: Mapping[int, Mapping[int, int]], name_of: Callable[[int], str] = uav
) -> list[dict[str, Any]]:
    """Return which bodies caused changes of whose commands, and how often, most frequent first."""
    counts = sorted(
        (-count, agent, place + LEAST_ID)
        for agent, places in pushed.items() for place, count in places.items()
    )  # fmt: skip
    return [{'agent': name_of(agent), 'pusher': body_name(pusher, name_of), 'count': -count}
            for count, agent, pusher in counts]  # fmt: skip


def filtered_share(tally: FilterTally | None) -> float | None:
    """Return the share of commands that were changed, None without a filter or a command."""
    if tally is None or not tally.reasons[FLYING]:
        return None
    return sum(tally.reasons[NONE + 1 : FLYING]) / tally.reasons[FLYING]


def filter_summary(tally: FilterTally | None, name_of: Callable[[int], str]) -> dict[str, Any]:
    """Return the entries of a summary, null without a filter.

    Args:
        tally: Counts with numbers of agents; None without a filter.
        name_of: Returns the name of an agent by its number.
    """
    share = filtered_share(tally)
    if tally is None or share is None:
        return dict.fromkeys((SHARE, BY_REASON, PAIRS))
    *counts, total = tally.reasons
    changed = {name: n for name, n in zip(REASONS[1:], counts[1:], strict=True) if n}
    return {
        SHARE: share,
        BY_REASON: {name: n / total for name, n in changed.items()},
        PAIRS: pushes(tally.pushed, name_of)[:MOST_PAIRS],
    }


def body_name(pusher: int, name_of: Callable[[int], str] = uav) -> str:
    """Return the name of a body that caused a change; empty for nobody."""
    others = {TARGET_ID: TARGET, ADVERSARY_ID: ADVERSARY, OTHER_ID: ANOTHER, NOBODY: ''}
    return others[pusher] if pusher in others else name_of(pusher)


FAULTS = {
    BEYOND: 'commands beyond the limits',
    NOT_FINITE: 'commands that are not finite',
    OUTSIDE: 'positions outside the fence or the heights',
}
"""Counts that should be 0, by key."""


def filter_text(summary: Mapping[str, Any]) -> str:
    """Return the share of commands that the filter changed, empty without a filter."""
    share = summary.get(SHARE)
    if share is None:
        return ''
    reasons = [
        f'{name} {100.0 * part:.1f} %' for name, part in (summary.get(BY_REASON) or {}).items()
    ]
    text = f'filter changed {100.0 * share:.1f} % of the commands'
    text += f' ({", ".join(reasons)})' if reasons else ''
    pairs = summary.get(PAIRS)
    if pairs:
        most = pairs[0]
        text += f', most often of {most["agent"]} by {most["pusher"]} ({most["count"]} times)'
    return text


def fault_text(summary: Mapping[str, Any]) -> str:
    """Return the counts of values out of bounds, empty if there are none."""
    faults = [f'{text}: {summary[key]}' for key, text in FAULTS.items() if summary.get(key)]
    return ', '.join(faults)
