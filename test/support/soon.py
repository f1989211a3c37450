"""For tests that fly included scenarios: what is scheduled in them, ten times as soon."""

import re

from soliton_encirclement_ros.core.scenario.scenario import Scenario

SCHEDULES = (
    ('failure', 'failure_schedule'),
    ('radio', 'partitions'),
    ('radio', 'byzantine'),
)
TIME = re.compile(r'\d+(?:\.\d+)?(?=\.\.|:)')


def ten_times_as_soon(told: Scenario) -> dict[str, dict[str, str]]:
    """Return changes: the windows of a scenario begin and end at a tenth of their times."""
    changes: dict[str, dict[str, str]] = {}
    for section, name in SCHEDULES:
        text = TIME.sub(_tenth, getattr(getattr(told, section), name))
        changes.setdefault(section, {})[name] = text
    return changes


def _tenth(found: re.Match[str]) -> str:
    return str(float(found[0]) / 10)
