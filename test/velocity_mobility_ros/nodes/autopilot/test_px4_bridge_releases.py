"""All known releases of PX4 over DDS: the right messages fly, those of another release are named.

Releases differ in names of topics, in fields, and in what they publish at all: 1.14 answers no
command, and before 1.16 nothing says whether the vehicle stands.
"""

import time
from contextlib import ExitStack

import pytest
from support.autopilot.bridge_process import BridgeProcess
from support.autopilot.sky import Sky
from support.cli import wait_until

pytestmark = [pytest.mark.ros, pytest.mark.slow]

NEIGHBOUR = {'1.14': '1.15', '1.15': '1.14', '1.16': '1.17', '1.17': '1.16', '1.18': '1.17'}
"""Another release of px4_msgs, by mistake, for each release of PX4."""

SAYS = {
    '1.14': ('release 1.14', 'px4_msgs (1.15)', 'bytes'),
    '1.15': ('nothing arrives', 'px4_msgs (1.14)'),
    '1.16': ('version 1', 'version 0', 'VehicleLocalPosition'),
    '1.17': ('version 0', 'version 1', 'VehicleLocalPosition'),
    '1.18': ('version 1', 'version 4', 'VehicleStatus'),
}  # fmt: skip
"""What is said then. Of messages that are longer than its own a bridge sees nothing."""

TOO_LONG = 'is larger than the history payload size'
"""What Fast DDS prints of each message that is longer than expected."""

FLIES, WAITS = 31, 32


@pytest.mark.one_in(8)
@pytest.mark.parametrize('release', NEIGHBOUR)
def test_e02_e08_a_release_flies_and_another_one_is_refused(domain, tmp_path, release):
    with Sky(tmp_path, domain, {FLIES: {}, WAITS: {}}, release) as sky, ExitStack() as stack:
        sky.start(FLIES)
        wrong: BridgeProcess = stack.enter_context(
            BridgeProcess(domain, tmp_path, WAITS, release=NEIGHBOUR[release])
        )
        sky.ready(FLIES)
        one = sky[FLIES]
        sky.ask(FLIES, 'arm_takeoff')
        one.wait('HOLD')
        assert one.values['landed'] == ('unknown' if release < '1.16' else 'false')
        wait_until(lambda: wrong.complaints, 'the refusal')
        (line,) = wrong.complaints
        assert all(text in line for text in SAYS[release]), line
        if release != '1.15':  # of which no graph tells that it is another one
            told = wrong.err.count(TOO_LONG)
            time.sleep(2.0)
            assert wrong.err.count(TOO_LONG) == told, 'Fast DDS complains on'
        accepted, answer = sky[WAITS].ask('arm_takeoff')
        assert not accepted and 'px4_msgs' in answer and not sky.px4s[WAITS].armed
        wait_until(lambda: 'px4_msgs' in one.status, 'diagnostics')
        assert release in one.status['px4_msgs'].split('/')
        assert (one.status['answers'] == '0') == (release == '1.14')
        sky.landed(FLIES)
        assert sky.broken() == {}
