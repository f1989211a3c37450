"""The emulator's process as tests use it: its truth, what it is told, how it ends."""

import math

import pytest
from support.cli import wait_until
from support.px4_emulator.ros.process import EmulatedPx4s
from support.ros.graph import domain

__all__ = ['domain']


@pytest.fixture(scope='module')
def px4s(domain, tmp_path_factory):
    vehicles = [{'instance': 1}, {'instance': 2, 'parameters': {'com_obl_rc_act': 5}}]
    with EmulatedPx4s(tmp_path_factory.mktemp('px4'), domain, vehicles) as running:
        yield running


def test_the_truth(px4s):
    one, two = px4s[1], px4s[2]
    assert (one.mode, one.armed, one.landed, one.failsafe) == ('AUTO_LOITER', False, True, False)
    assert (one.violation_count, one.violations) == (0, [])
    latitude, longitude, altitude = one.position
    assert two.position == [latitude, pytest.approx(longitude + 6.6e-5), altitude]
    assert one.velocity == [0.0, 0.0, 0.0]
    assert math.isfinite(one.heading)


def test_it_goes_by_the_clock(px4s):
    before = px4s.time
    wait_until(lambda: px4s.time > before + 1.0, 'another second')


def test_events_and_commands(px4s):
    px4s.do(1, 'in_the_air', height=10.0)
    px4s.wait(lambda: px4s[1].armed and px4s[1].height > 9.0, 'being in the air')
    px4s.do(1, 'pilot_takes', mode='ALTCTL')
    px4s.wait(lambda: px4s[1].mode == 'ALTCTL', 'the pilot')
    px4s.do(1, 'operator_word')
    px4s.do(1, 'link', direction='in', loss=0.5, delay=0.1)
    px4s.do(1, 'agent_down', seconds=0.1)
    px4s.do(1, 'reboot')
    px4s.wait(lambda: not px4s[1].armed, 'the reboot')
    px4s.do(1, 'end')
    assert px4s[2].mode == 'AUTO_LOITER'


@pytest.mark.parametrize(
    ('what', 'given', 'expected'),
    [
        ('fly_away', {}, "fly_away: KeyError: 'fly_away'"),
        ('pilot_takes', {'mode': 'FAST'}, "pilot_takes: KeyError: 'FAST'"),
        ('gps', {}, 'gps: TypeError'),
    ],
)
def test_a_wrong_word_fails_the_test(px4s, what, given, expected):
    with pytest.raises(AssertionError, match=expected):
        px4s.do(2, what, **given)


def test_a_process_that_does_not_start_says_why(domain, tmp_path):
    with (
        pytest.raises(AssertionError, match="unexpected keyword argument 'engine'"),
        EmulatedPx4s(tmp_path, domain, [{'engine': 'steam'}]),
    ):
        pass


def test_a_release_that_is_not_built(domain, tmp_path):
    with pytest.raises(FileNotFoundError, match=r'px4_msgs-1\.2: `make setup` builds it'):
        EmulatedPx4s(tmp_path, domain, [{}], '1.2')
