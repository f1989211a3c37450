"""A run with the original's numbers asks for nothing that the original could not do."""

import re

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.scenario import Scenario

UNKNOWN = [
    ('radio', 'communication_jitter', 0.1),
    ('radio', 'partitions', '1..2: 1'),
    ('radio', 'byzantine', '1..2: 1 nan'),
    ('failure', 'failure_schedule', '1..2: 1'),
]


@pytest.mark.parametrize(('section', 'name', 'value'), UNKNOWN)
def test_what_the_original_does_not_know_is_refused(
    section: str, name: str, value: object
) -> None:
    """In one line that names both parameters; each alone is allowed."""
    asked = Scenario().with_changes({section: {name: value}}, 'x')
    said = re.escape(
        f"{section}.{name} = {value!r} with run.rng = 'reference': the original experiment "
        'does not have this feature; remove one of the two'
    )
    with pytest.raises(ScenarioError, match=f'{said}$'):
        asked.with_changes({'run': {'rng': 'reference'}}, 'x')


def test_what_it_knows_is_allowed() -> None:
    """Loss, delay and range were there."""
    radio = {'communication_failure_rate': 0.1, 'communication_delay': 0.01,
             'communication_transmission_range': 30.0}  # fmt: skip
    Scenario().with_changes({'run': {'rng': 'reference'}, 'radio': radio}, 'x')
