"""Bridges by simulated time, and for long: nothing is taken for late, nothing grows."""

import os
from pathlib import Path

import pytest
from support.autopilot.operator import during
from support.autopilot.places import moved
from support.autopilot.sky import Sky

pytestmark = [pytest.mark.ros, pytest.mark.slow]

SIMULATED = 41
FLEET = (42, 43, 44, 45)
PAIR = FLEET[:2]
SOAK = float(os.environ.get('SOAK_SECONDS', '60'))
"""How long four vehicles fly [s]."""

LARGEST_GAP = 0.25
"""Between two heartbeats, of which PX4 needs one in a second [s]."""

MORE_MEMORY = 4.0
"""By so much a process may grow once it flies [MB]."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize('speed', [2.0, 5.0])
def test_e32_by_simulated_time_nothing_is_late(domain, tmp_path, speed):
    with Sky(tmp_path, domain, {SIMULATED: {}}, speed=speed) as sky:
        sky.operator.tell_time(speed)
        sky.start(SIMULATED, use_sim_time=True)
        sky.ready(SIMULATED)
        one = sky[SIMULATED]
        sky.ask(SIMULATED, 'arm_takeoff')
        one.wait('HOLD')
        start = sky.px4s[SIMULATED]
        sky.tracking(SIMULATED, command=(2.0, 0.0, 0.0, 0.0))
        sky.wait(lambda: moved(start, sky.px4s[SIMULATED])[0] > 6.0, 'the way')
        stamp = one.odometry[-1][1].header.stamp
        assert 1000 < stamp.sec < 2000  # simulated
        one.command = None
        sky.landed(SIMULATED)
        states = [state for state, _ in one.history]
        assert not {'LINK_LOST', 'FAULT', 'EXTERNAL', 'HOLD_REENTRY'} & set(states), one.history
        assert [x for x in sky.bridges[SIMULATED].complaints if 'on /clock yet' not in x] == []


def memory(pid: int) -> float:
    """Return the memory of a process [MB]."""
    lines = Path(f'/proc/{pid}/status').read_text(encoding='ascii').splitlines()
    return int(next(line for line in lines if line.startswith('VmRSS')).split()[1]) / 1e3


@pytest.mark.parametrize(('seconds', 'numbers'), [
    (4.0, PAIR), pytest.param(SOAK, FLEET, id='soak', marks=[
        pytest.mark.nightly, pytest.mark.alone, pytest.mark.timeout(SOAK + 300.0),
    ]),
])  # fmt: skip
def test_e33_for_long_nothing_grows_and_no_heartbeat_is_late(domain, tmp_path, seconds, numbers):
    strict = {'heartbeat_gap': LARGEST_GAP}
    with Sky(tmp_path, domain, {k: {'strict': strict} for k in numbers}) as sky:
        sky.start(*numbers)
        sky.tracking(*numbers, command=(0.0, 0.3, 0.0, 0.1))
        during(3.0, lambda: True)
        before = {k: memory(sky.bridges[k].pid) for k in numbers}
        assert during(seconds, lambda: all(sky[k].state == 'TRACK' for k in numbers))
        for k in numbers:
            assert memory(sky.bridges[k].pid) < before[k] + MORE_MEMORY
            assert len(sky[k].odometry) > 25.0 * seconds and sky.bridges[k].complaints == []
        assert sky.broken() == {}
