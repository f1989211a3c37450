"""First fault of a user's law, from the logs of the agents."""

import re
from pathlib import Path

from soliton_encirclement_ros.core.laws.law_source import is_foreign
from soliton_encirclement_ros.core.laws.user_code import short_name


def law_fault_line(folder: Path, controller: str) -> str:
    """Return the first fault of a law in a run over ROS, empty if there was none.

    Args:
        folder: The run's folder; the nodes log into ``log`` in it.
        controller: The law.
    """
    if not is_foreign(controller):
        return ''
    law = re.escape(short_name(controller))
    fault = re.compile(rf'^\[ERROR\] \[([\d.]+)\] \[[^]]*\]: ({law}: uav_\d+ at .*)$')
    texts = (file.read_text(errors='replace') for file in (folder / 'log').glob('*.log'))
    found = {match.groups() for text in texts for line in text.splitlines()
             if (match := fault.match(line))}  # fmt: skip
    if not found:
        return ''
    more = f' (and {len(found) - 1} more)' if len(found) > 1 else ''
    return min(found)[1] + more
