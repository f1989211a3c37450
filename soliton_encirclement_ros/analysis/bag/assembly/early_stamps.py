"""Stamps before time 0, which no ROS clock produces: they are not valid times."""

import numpy as np

from soliton_encirclement_ros.analysis.bag.assembly.clocks import SECOND
from soliton_encirclement_ros.analysis.bag.assembly.members import Found
from soliton_encirclement_ros.analysis.bag.decoding.header_stamps import NO_STAMP
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Rows
from soliton_encirclement_ros.analysis.bag.topics.topic_roles import TIME


def without_early_stamps(found: Found) -> list[str]:
    """Remove the stamps from topics with times before 0; return a line for each.

    A topic is judged by its median: a single wrong stamp is removed later, by its reception time.
    """
    lines: dict[str, None] = {}  # in order, each once: members may share a topic
    for whose, rows in list(found.rows.items()):
        median = _median(rows)
        if median >= 0:
            continue
        if whose[0] == TIME:
            del found.rows[whose]
            cost = 'it is not used'
        else:
            found.rows[whose] = rows._replace(stamps=np.full_like(rows.stamps, NO_STAMP))
            cost = 'times of reception are used'
        topic = found.topics[whose]
        lines[f'{topic}: stamps before time 0 ({median / SECOND:.3f} s): {cost}'] = None
    return list(lines)


def _median(rows: Rows) -> int:
    """Return the median stamp [ns], 0 for messages without stamps."""
    stamps = rows.stamps[rows.stamps != NO_STAMP]
    return int(np.percentile(stamps, 50, method='nearest')) if len(stamps) else 0
