"""Stamps that no ROS clock produces: before time 0, or with a second or more in nanosec."""

from collections.abc import Iterator, Mapping

import numpy as np
from velocity_mobility_ros.core.cdr import BILLION

from soliton_encirclement_ros.analysis.bag.assembly.members import Found
from soliton_encirclement_ros.analysis.bag.decoding.header_stamps import NO_STAMP, StampTally
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Rows
from soliton_encirclement_ros.analysis.bag.topics.topic_map import apart
from soliton_encirclement_ros.analysis.bag.topics.topic_roles import TIME
from soliton_encirclement_ros.core.files.name_list import named

RECEPTION = 'times of reception are used'


def without_invalid_stamps(found: Found, tallies: Mapping[str, StampTally]) -> list[str]:
    """Remove the stamps from topics with many that are invalid; return a line for each kind.

    Times before 0 are judged by the median of a topic: a single wrong stamp is removed later, by
    its reception time.

    Args:
        found: Its rows are changed.
        tallies: What was counted of the stamps, by topic.
    """
    unset = [topic for topic in dict.fromkeys(apart(one)[0] for one in found.topics.values())
             if topic in tallies and tallies[topic].is_always_zero]  # fmt: skip
    zero = [f'{topic}: all stamps are 0: {RECEPTION}' for topic in unset]
    return [*_without_overflows(found, tallies), *_without_early(found), *zero]


def _without_overflows(found: Found, tallies: Mapping[str, StampTally]) -> Iterator[str]:
    topics: dict[str, dict[str, int]] = {}
    for whose, rows in found.rows.items():
        tally = tallies.get(apart(found.topics[whose])[0])
        if tally is None or not tally.is_any_wrong:
            continue
        if tally.is_useless:
            found.rows[whose] = _without_stamps(rows)
        cost = RECEPTION if tally.is_useless else f'{RECEPTION} for these'
        topics.setdefault(cost, {})[found.topics[whose]] = tally.largest
    for cost, largest in topics.items():
        yield (
            f'{named([*largest])}: stamps have nanosec = {max(largest.values())}, must be below '
            f'{BILLION}: {cost}'
        )


def _without_early(found: Found) -> list[str]:
    lines: dict[str, None] = {}  # in order, each once: members may share a topic
    for whose, rows in list(found.rows.items()):
        median = _median(rows)
        if median >= 0:
            continue
        if whose[0] == TIME:
            del found.rows[whose]
            cost = 'it is not used'
        else:
            found.rows[whose] = _without_stamps(rows)
            cost = RECEPTION
        topic = found.topics[whose]
        lines[f'{topic}: stamps before time 0 ({median / BILLION:.3f} s): {cost}'] = None
    return list(lines)


def _without_stamps(rows: Rows) -> Rows:
    return rows._replace(stamps=np.full_like(rows.stamps, NO_STAMP))


def _median(rows: Rows) -> int:
    """Return the median stamp [ns], 0 for messages without stamps."""
    stamps = rows.stamps[rows.stamps != NO_STAMP]
    return int(np.percentile(stamps, 50, method='nearest')) if len(stamps) else 0
