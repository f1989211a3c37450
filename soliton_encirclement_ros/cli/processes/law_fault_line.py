"""First fault of a user's law, layer or estimator, from the logs of the agents."""

import re
from pathlib import Path

from soliton_encirclement_ros.core.laws.law_fault import UNTIL_RECOVERED
from soliton_encirclement_ros.core.run.run_folder import LOG

FAULT = re.compile(rf'^\[ERROR\] \[([\d.]+)\] \[[^]]*\]: (.*; {re.escape(UNTIL_RECOVERED)})$')


def law_fault_line(folder: Path) -> str:
    """Return the first fault of a law in a run over ROS, empty if there was none.

    Args:
        folder: The run's folder; the nodes log into ``log`` in it.
    """
    texts = (file.read_text(errors='replace') for file in (folder / LOG).glob('*.log'))
    found = {match.groups() for text in texts for line in text.splitlines()
             if (match := FAULT.match(line))}  # fmt: skip
    if not found:
        return ''
    more = f' (and {len(found) - 1} more)' if len(found) > 1 else ''
    return min(found)[1] + more
