"""docs/tuning.md names what cannot change in flight, with the reason of the declaration."""

import re
from pathlib import Path

from soliton_encirclement_ros.core.parameters.adversary_parameters import AdversaryParameters
from soliton_encirclement_ros.core.parameters.control_parameters import (
    ControlParameters as Control,
)
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.core.parameters.safety_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits,
    SwarmParameters,
)
from soliton_encirclement_ros.core.parameters.target_parameters import TargetParameters
from velocity_mobility_ros.core.parameters import declarations

RECORDS = (
    Control, PropagationParameters, CommandLimits, SwarmParameters, TargetParameters,
    AdversaryParameters, SafetyParameters,
)  # fmt: skip


def test_every_parameter_with_a_reason_is_on_the_page_and_no_other() -> None:
    page = Path(__file__).parents[2].joinpath('docs', 'tuning.md').read_text(encoding='utf-8')
    listed = dict(re.findall(r'^\| `(\w+)` \| (.*) \|$', page, re.MULTILINE))
    found = {
        name: one.fixed for record in RECORDS for name, one in declarations(record).items()
        if one.fixed
    }  # fmt: skip
    assert listed == found


def test_what_an_agent_flies_by_may_change() -> None:
    """All gains and limits but those of the table."""
    for record in (Control, PropagationParameters, CommandLimits):
        assert all(one.runtime or one.fixed for one in declarations(record).values())
