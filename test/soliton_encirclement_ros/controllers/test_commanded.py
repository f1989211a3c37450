"""Agents that take commands from outside: without one they fly their law to the bit."""

import numpy as np
import pytest

from soliton_encirclement_ros.controllers import CONTROLLERS, commanded
from soliton_encirclement_ros.core.errors import LawError
from soliton_encirclement_ros.core.laws.law import Setup
from soliton_encirclement_ros.core.laws.law_registry import LAWS, example_view
from soliton_encirclement_ros.core.laws.record_rows import packing

PLACE = commanded.__name__


@pytest.mark.parametrize('name', CONTROLLERS)
def test_it_is_its_law_until_it_is_commanded(name):
    law, own = LAWS.load(f'{PLACE}:{name}'), CONTROLLERS[name].law_with('baseline')
    view, gains = example_view(law), law.gains(Setup())
    memory, message, decision = law.step(gains, law.rest, view)
    assert (memory.law, message, decision) == own.step(gains, own.rest, view)
    wanted = memory._replace(command=commanded.CommandedVelocity(1.0, 3.0, -2.0, 0.5))
    after, told, obeyed = law.step(gains, wanted, view)
    assert obeyed == decision._replace(velocity=(3.0, -2.0, 0.5), **_own(own, gains, memory, view))
    assert after.command == wanted.command
    assert told == own.step(gains, memory.law, view)[1]


def _own(own, gains, memory, view):
    """Return what the law says besides its velocity."""
    decision = own.step(gains, memory.law, view)[2]
    return {'pred': decision.pred, 'succ': decision.succ, 'e_tau': decision.e_tau}


def test_columns_of_a_row_are_command_and_observation_first():
    law = LAWS.load(f'{PLACE}:soliton')
    memory = law.step(law.gains(Setup()), law.rest, example_view(law))[0]
    packed = packing(law.rest)
    row = np.zeros(packed.size)
    packed.pack(memory._replace(command=commanded.CommandedVelocity(1.0, 3.0, -2.0, 0.5)), row)
    assert row[: commanded.COMMAND_SIZE].tolist() == [1.0, 3.0, -2.0, 0.5]
    seen = memory.observation
    flat = [one for part in seen for one in (part if isinstance(part, tuple) else (part,))]
    assert row[commanded.OBSERVED].tolist() == flat


def test_a_failure_ends_no_command():
    law = LAWS.load(f'{PLACE}:soliton')
    memory = law.rest._replace(command=commanded.CommandedVelocity(1.0, 3.0, -2.0, 0.5))
    assert law.reset(memory).command == memory.command


def test_there_are_those_of_laws_that_come_along():
    with pytest.raises(LawError, match=r'circle in .*commanded is missing'):
        LAWS.load(f'{PLACE}:circle')
