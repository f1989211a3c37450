"""The log of a bridge: what is new once, and what passes by not at all."""

import pytest
from diagnostic_msgs.msg import DiagnosticStatus

from velocity_mobility_ros.autopilot.engage.engage_records import State
from velocity_mobility_ros.nodes.autopilot.bridge_report import LASTS, StateLog

pytestmark = pytest.mark.ros

OK, WARN, ERROR = DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR


class Lines(list):
    """A logger that keeps its lines."""

    def info(self, line):
        self.append(('info', line))

    def warning(self, line):
        self.append(('warning', line))

    def error(self, line):
        self.append(('error', line))


@pytest.fixture
def log():
    """Return a log and its lines."""
    lines = Lines()
    return StateLog(lines), lines


def test_each_state_and_each_reason_is_logged_once(log):
    log, lines = log
    for now in range(10):
        log.tell(State.HOLD, 'holds', OK, float(now))
    log.tell(State.TRACK, 'tracks', OK, 10.0)
    log.tell(State.EXTERNAL, 'the pilot', WARN, 11.0)
    log.tell(State.FAULT, 'disarmed', ERROR, 12.0)
    assert lines == [('info', 'HOLD: holds'), ('info', 'TRACK: tracks'),
                     ('warning', 'EXTERNAL: the pilot'), ('error', 'FAULT: disarmed')]  # fmt: skip


def test_another_number_is_not_news(log):
    log, lines = log
    for k in range(20):
        log.tell(State.LINK_LOST, f'no status for {3.0 + 0.1 * k:.1f} s', ERROR, 0.1 * k)
    assert lines == [('error', 'LINK_LOST: no status for 3.0 s')]


def test_what_passes_while_a_vehicle_starts_is_not_logged(log):
    log, lines = log
    log.tell(State.WAIT_LINK, 'no status yet', WARN, 0.0)
    log.tell(State.WAIT_LINK, 'no position yet', WARN, 0.8 * LASTS)
    log.tell(State.READY, 'not ready: no heartbeat', WARN, 1.6 * LASTS)
    log.tell(State.READY, 'ready', OK, 1.7 * LASTS)
    assert lines == [('info', 'READY: ready')]


def test_a_reason_that_lasts_is_logged_when_it_has(log):
    log, lines = log
    for k in range(20):
        log.tell(State.WAIT_LINK, 'no agent', WARN, 0.1 * k * LASTS)
        assert bool(lines) == (k >= 10)
    assert lines == [('warning', 'WAIT_LINK: no agent')]
