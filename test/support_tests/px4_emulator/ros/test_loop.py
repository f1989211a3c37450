"""A process that comes late hears what was said when it was said."""

from support.px4_emulator import Px4Emulator, Settings
from support.px4_emulator.constants import NavState
from support.px4_emulator.direct_drive import offboard_control_mode, trajectory_setpoint
from support.px4_emulator.events import in_the_air
from support.px4_emulator.ros.endpoints import Arrival
from support.px4_emulator.ros.loop import Member

SECOND = 1_000_000_000
EPOCH = 1_790_000_000 * SECOND
STREAM = 20


class Queue:
    """Endpoints on which messages wait."""

    def __init__(self):
        self.waiting, self.sent = [], []
        self.is_closed = False

    def arrivals(self):
        found, self.waiting = self.waiting, []
        return found

    def close(self):
        self.is_closed = True

    def serve(self):
        """Nobody calls."""

    def send(self, sent):
        self.sent += sent


def flown_late(late, is_streaming):
    """Return a vehicle in OFFBOARD whose process paused for some seconds."""
    vehicle = Px4Emulator(Settings(vehicle='kinematic', time_jump_period=0.0))
    vehicle.happens(in_the_air, 10.0, NavState.OFFBOARD)
    ends = Queue()
    member = Member(vehicle, lambda: ends)
    for k in range(round(STREAM * (2.0 + late))):
        at = k * SECOND // STREAM
        if is_streaming or at < 2 * SECOND:
            ends.waiting += [
                Arrival(EPOCH + at, 'offboard_control_mode', offboard_control_mode()),
                Arrival(
                    EPOCH + at, 'trajectory_setpoint', trajectory_setpoint(velocity=(0, 0, 0))
                ),
            ]
        if at < 2 * SECOND:
            member.turn(at, EPOCH)
    member.turn(round((2.0 + late) * SECOND), EPOCH)
    return vehicle, ends


def test_what_came_during_a_pause():
    vehicle, ends = flown_late(3.0, is_streaming=True)
    assert vehicle.firmware.commander.nav_state == NavState.OFFBOARD
    assert [one for one in vehicle.violations if 'gap' in one.rule] == []
    assert vehicle.now == 5.0
    assert sum(one.topic == 'vehicle_odometry' for one in ends.sent) > 450


def test_what_did_not_come_during_a_pause():
    vehicle, _ = flown_late(3.0, is_streaming=False)
    assert vehicle.firmware.commander.nav_state != NavState.OFFBOARD
    assert 'heartbeat_gap' in {one.rule for one in vehicle.violations}


def test_endpoints_go_with_the_agent_and_come_back():
    vehicle = Px4Emulator(Settings(vehicle='kinematic', time_jump_period=0.0))
    made = []

    def make():
        made.append(Queue())
        return made[-1]

    member = Member(vehicle, make)
    member.turn(SECOND, EPOCH)
    vehicle.agent_down(1.0)
    member.turn(2 * SECOND, EPOCH)
    assert [one.is_closed for one in made] == [True]
    member.turn(9 * SECOND, EPOCH)
    member.turn(10 * SECOND, EPOCH)
    assert [one.is_closed for one in made] == [True, False]
    assert made[1].sent
