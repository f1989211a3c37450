"""PX4 tells the formats of its messages over DDS: they are compared before a vehicle flies."""

import pytest
from support.autopilot.bridge_process import says_once
from support.cli import wait_until

pytestmark = [pytest.mark.ros, pytest.mark.slow]

SAME, CHANGED, SILENT = range(41, 44)
MESSAGES = 10
"""Of the bridge: three to PX4, seven from it."""

NOT_TOLD = 'does not tell the formats'


@pytest.fixture(scope='module')
def sky(open_sky):
    """Return vehicles on the ground; each test starts the bridge of its own."""
    return open_sky({
        SAME: {},
        CHANGED: {'changed_message': 'VehicleLandDetected'},
        SILENT: {'tells_formats': False},
    })  # fmt: skip


@pytest.fixture(autouse=True)
def _nothing_goes_on(sky):
    yield
    for k in (*sky.bridges,):
        sky[k].values = {}
    sky.stop()


def compared(sky, number, count):
    """Wait until diagnostics say how many messages were compared."""
    expected = f'{count} of {MESSAGES}'
    wait_until(lambda: sky[number].status.get('px4_msgs_compared') == expected, expected)


def test_with_the_same_formats_it_is_ready(sky):
    sky.start(SAME)
    sky.ready(SAME)
    compared(sky, SAME, MESSAGES)
    bridge = sky.bridges[SAME]
    assert bridge.complaints == [] and NOT_TOLD not in bridge.err


def test_with_another_format_it_names_the_message_and_never_flies(sky):
    """Only the exact comparison sees this one: same names, same types, same size."""
    sky.start(CHANGED)
    says_once(
        sky.bridges[CHANGED], 'px4_msgs/VehicleLandDetected differs', 'build the branch',
        level='ERROR',
    )  # fmt: skip
    one = sky[CHANGED]
    assert one.values['ready'] == 'false' and one.level == b'\2'
    assert 'px4_msgs/VehicleLandDetected' in one.values['waits_for']
    accepted, answer = one.ask('arm_takeoff')
    assert not accepted and 'px4_msgs/VehicleLandDetected' in answer
    assert not sky.px4s[CHANGED].armed and one.state == 'WAIT_LINK'


def test_a_firmware_that_never_answers_is_flown_all_the_same(sky):
    sky.start(SILENT)
    sky.ready(SILENT)
    bridge = sky.bridges[SILENT]
    sky.ask(SILENT, 'arm_takeoff')
    sky[SILENT].wait('HOLD')
    told = [line for line in bridge.lines('INFO') if NOT_TOLD in line]
    assert len(told) == 1 and f'0 of {MESSAGES}' in told[0]
    compared(sky, SILENT, 0)
    assert bridge.complaints == []
    sky.landed(SILENT)
    assert sky.broken() == {}
