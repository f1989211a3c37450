"""For tests: emulated vehicles, their bridges, and an operator; a PX4 k has the instance k."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from support.autopilot.bridge_process import BridgeProcess
from support.autopilot.operator import Operator, Vehicle
from support.autopilot.ros.process import EmulatedAutopilots
from support.px4_emulator.ros.process import EmulatedPx4s

FLYABLE = {
    'com_obl_rc_act': 5, 'com_rcl_except': 4, 'com_spoolup_time': 0.3, 'mpc_tko_ramp_t': 1.0,
    'mpc_land_crwl': 0.6,
}  # fmt: skip
"""Hold when OFFBOARD is lost, no radio control needed, and quick take-offs and landings."""

PREFIXES = {'ardupilot': '/ap/v{}', 'mavros_px4': '/uav_{}/mavros',
            'mavros_ardupilot': '/uav_{}/mavros'}  # fmt: skip
"""Of the topics of a vehicle, by kind of autopilot; that of PX4 is by its instance."""

PASSED, REPORTS = 1.5, 3
"""What stays as it is has to stay so for this time of the emulator [s], and so many reports."""

HEIGHT = 5.0
"""Height of a vehicle that begins in the air [m]."""

STILL = (0.0, 0.0, 0.0, 0.0)

LATE = 0.25
"""Time between two steps of a bridge that the machine did not let run [s]."""

OF_TIME = ('heartbeat_gap', 'velocity_step')
"""Rules that such a bridge cannot keep."""


class Sky:
    """Everything that a flight needs; it is gone when the block is left.

    Attributes:
        bridges: The processes of the bridges by number.
        may_end: Vehicles whose bridge may end.
    """

    def __init__(
        self,
        folder: Path,
        domain: int,
        vehicles: Mapping[int, Mapping[str, Any]],
        release: str = '1.17',
        speed: float = 1.0,
        kind: str = 'px4',
    ) -> None:
        """Name the vehicles; the block starts them.

        Args:
            folder: Where all output lands.
            domain: ROS domain.
            vehicles: Changed settings by number; with another kind than PX4 from 1 on.
            release: Of PX4, and of the bridges' messages.
            speed: How many times as fast as the wall's the clock of PX4 is.
            kind: Of autopilot, see ``PREFIXES``.
        """
        self._folder, self._domain, self.release = folder, domain, release
        self._speed, self._kind = speed, kind
        self._changed = vehicles
        self._settings = [
            {'instance': k, **changed, 'parameters': FLYABLE | changed.get('parameters', {})}
            for k, changed in vehicles.items()
        ]
        self.numbers = tuple(vehicles)
        self.bridges: dict[int, BridgeProcess] = {}
        self.may_end: set[int] = set()
        self._judged = dict.fromkeys(self.numbers, 0)
        self._stack = ExitStack()

    def __enter__(self) -> 'Sky':
        self.px4s = self._stack.enter_context(self._emulators())
        self.operator = self._stack.enter_context(Operator(self._domain, self.numbers))
        return self

    def _emulators(self) -> EmulatedPx4s:
        if self._kind == 'px4':
            where = self._folder, self._domain
            return EmulatedPx4s(*where, self._settings, self.release, self._speed)
        name = 'ap_dds' if self._kind == 'ardupilot' else self._kind
        return EmulatedAutopilots(self._folder, self._domain, [
            {'kind': name, 'prefix': PREFIXES[self._kind].format(k), 'settings': changed}
            for k, changed in self._changed.items()
        ])  # fmt: skip

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def __getitem__(self, number: int) -> Vehicle:
        """Return what a vehicle's bridge tells, and what it is told."""
        return self.operator[number]

    def start(self, *numbers: int, **parameters: Any) -> None:
        """Start the bridges of some vehicles."""
        for k in numbers:
            if k in self.bridges:
                self.bridges.pop(k).__exit__()
            given = {'release': self.release, 'kind': self._kind, **self._of_kind(k), **parameters}
            self.bridges[k] = self._stack.enter_context(
                BridgeProcess(self._domain, self._folder, k, **given)
            )

    def _of_kind(self, number: int) -> dict[str, str]:
        """Return the parameters by which the bridge of a vehicle finds it."""
        if self._kind == 'ardupilot':
            return {'ap_prefix': PREFIXES[self._kind].format(number)}
        _, mavros, autopilot = self._kind.partition('mavros_')
        return {'autopilot': autopilot} if mavros else {}

    def stop(self, *numbers: int) -> None:
        """End the bridges of some vehicles for good; without numbers those of all."""
        for k in numbers or (*self.bridges,):
            self.bridges.pop(k).__exit__()

    def wait(self, condition: Any, what: str, timeout: float = 60.0) -> Any:
        """Wait until a condition holds and return its value; fail if a bridge has ended."""

        def checked() -> Any:
            found = condition()
            for k, bridge in self.bridges.items():
                code = bridge.popen.poll()
                assert found or code is None or k in self.may_end, (
                    f'the bridge of vehicle {k} ended with {code}: {bridge.err}'
                )
            return found

        return self.px4s.wait(checked, what, timeout)

    def stays(self, condition: Callable[[], bool], *numbers: int) -> bool:
        """Return whether a condition holds while time passes.

        Args:
            condition: The condition.
            numbers: Vehicles whose bridges have to tell their state some times meanwhile.
        """
        until = self.px4s.time + PASSED
        least = {k: self[k].reports + REPORTS for k in numbers}

        def is_over() -> bool:
            told = all(self[k].reports >= count for k, count in least.items())
            return not condition() or (told and self.px4s.time >= until)

        self.wait(is_over, 'time to pass')
        return condition()

    def ask(self, number: int, verb: str) -> str:
        """Ask for something that has to be accepted, and return the answer."""
        if 'px4' in self._kind:
            self.px4s.do(number, 'operator_word')
        accepted, answer = self[number].ask(verb)
        assert accepted, f'{verb}: {answer}'
        return answer

    def ready(self, *numbers: int) -> None:
        """Wait until vehicles can take off."""
        for k in numbers:
            self.wait(
                lambda k=k: self[k].values.get('ready') == 'true', f'vehicle {k} to be ready'
            )

    def take_off(self, *numbers: int) -> None:
        """Let vehicles take off, and wait until they hold."""
        for k in numbers:
            self.ask(k, 'arm_takeoff')
        for k in numbers:
            self[k].wait('HOLD')

    def tracking(self, *numbers: int, command: Sequence[float] = STILL) -> Vehicle:
        """Bring vehicles into the air if they stand, and engage them; return the first one.

        Args:
            numbers: The vehicles.
            command: Velocity east, north, up [m/s] and yaw rate [rad/s].
        """
        standing = [k for k in numbers if not self.px4s[k].armed]
        self.ready(*standing)
        if self._kind != 'px4':
            self.take_off(*standing)
            standing = []
        for k in standing:
            self.px4s.do(k, 'armed_by_hand')
        for k in standing:
            self.wait(lambda k=k: self[k].values['armed'] == 'true', f'vehicle {k} to be armed')
            self.px4s.do(k, 'in_the_air', height=HEIGHT)
        for k in numbers:
            self[k].command = tuple(command)
        self.engage(*[k for k in numbers if self[k].state != 'TRACK'])
        return self[numbers[0]]

    def engage(self, *numbers: int) -> None:
        """Engage vehicles, once their bridges have heard their commands."""
        before = {k: self[k].values for k in numbers}
        for k in numbers:
            self.wait(lambda k=k: self[k].values is not before[k] and
                      self[k].values['command_age_s'] != 'unknown', 'commands')  # fmt: skip
            self.ask(k, 'engage')
        for k in numbers:
            self[k].wait('TRACK')

    def landed(self, *numbers: int) -> None:
        """Land vehicles, and wait until they are disarmed."""
        for k in numbers:
            if self.px4s[k].armed:
                self.ask(k, 'land')
        for k in numbers:
            self.wait(lambda k=k: not self.px4s[k].armed, f'vehicle {k} to land')
            self[k].wait('READY')

    def broken(self, allowed: Iterable[str] = ()) -> dict[int, list[Any]]:
        """Return what was done against the rules of strict mode since the last call.

        What a bridge did late for want of processor time is no fault of it.

        Args:
            allowed: Rules that the test itself makes look broken.
        """
        found = {}
        for k in self.numbers:
            all_of_it = self.px4s[k].violations
            new, self._judged[k] = all_of_it[self._judged[k] :], len(all_of_it)
            excused = OF_TIME if self[k].longest_tick > LATE else ()
            self[k].longest_tick = 0.0
            found[k] = [one for one in new if one[1] not in (*allowed, *excused)]
        return {k: new for k, new in found.items() if new}
