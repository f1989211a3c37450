"""Mistakes that are put into a node on purpose, which a chaos run must find.

    python mutants.py MISTAKE EXECUTABLE --ros-args ...

Each is a change of the running process; the package has none of them.
"""

import itertools
import sys
import time
from collections.abc import Callable

HOLD = 3.0
"""Time after which a stop is forgotten [s]."""

RECORDED = 45.0
"""Time for which a recorder writes [s]."""

LATE = 20.0
"""Time by which a node starts late [s]."""

STUCK_AFTER = 600
"""Ticks after which a filter stands still."""

TOO_MUCH = 10.0
"""Factor by which commands are too fast."""

LEAK = 4 * 10**5
"""Memory that is lost at each tick [bytes]."""


def _replace_filter(step: Callable[..., int]) -> None:
    """Let agents use another separation filter over rows."""
    from soliton_encirclement_ros.members import own_rules

    own_rules.PLAIN_CODE = own_rules.PLAIN_CODE._replace(filtering=lambda: step)


def pass_everything() -> None:
    """The separation filter changes nothing."""

    def passing(*rows: list) -> int:
        wanted, result = rows[2], rows[-1]
        result[:3] = wanted
        return 0

    _replace_filter(passing)


def stand_still() -> None:
    """After half a minute the separation filter returns the same command for ever."""
    from soliton_encirclement_ros.members import own_rules

    usual, ticks = own_rules.PLAIN_CODE.filtering(), itertools.count()

    def stuck(*rows: list) -> int:
        return usual(*rows) if next(ticks) < STUCK_AFTER else 0

    _replace_filter(stuck)


def command_too_much() -> None:
    """Commands are ten times as fast as they should be."""
    from soliton_encirclement_ros.members import own_rules

    usual = own_rules.PLAIN_CODE.filtering()

    def too_fast(*rows: list) -> int:
        reason, result = usual(*rows), rows[-1]
        for k in range(3):
            result[k] *= TOO_MUCH
        return reason

    _replace_filter(too_fast)


def resume_by_itself() -> None:
    """A stopped member goes on after a while, without an operator."""
    from soliton_encirclement_ros.nodes.member_services import MemberStop

    usual, since = MemberStop.update, []

    def update(self: MemberStop) -> bool:
        if not usual(self):
            since.clear()
            return False
        since.append(time.monotonic())
        return since[-1] < since[0] + HOLD

    MemberStop.update = update


def engage_by_itself() -> None:
    """A bridge that has lost its vehicle tracks commands again, without an operator."""
    from velocity_mobility_ros.autopilot.engage import state_machine
    from velocity_mobility_ros.autopilot.engage.engage_records import Request, State

    engage = state_machine.REQUEST_RULES[Request.ENGAGE]

    def replace(state: State) -> None:
        usual = state_machine.RULES[state]

        def rule(settings: object, memory: object, inputs: object) -> tuple[object, bool]:
            memory, send = usual(settings, memory, inputs)
            return (engage(settings, memory, inputs)[0] if memory.state is state else memory), send

        state_machine.RULES[state] = rule

    for state in (State.EXTERNAL, State.HOLD_REENTRY):
        replace(state)


def leak() -> None:
    """Memory is lost at each tick."""
    from soliton_encirclement_ros.nodes.member_services import MemberStop

    usual, lost = MemberStop.update, []

    def update(self: MemberStop) -> bool:
        lost.append(bytearray(b'x') * LEAK)
        return usual(self)

    MemberStop.update = update


def start_late() -> None:
    """The node needs longer for its start than a killed one has to be back."""
    time.sleep(LATE)


def record_nothing() -> None:
    """The recorder writes nothing after half a minute, and does not say so."""
    from soliton_encirclement_ros.nodes.observers.bag_recording import BagRecording

    usual, begun = BagRecording.write, time.monotonic()

    def write(self: BagRecording, *message: object) -> None:
        if time.monotonic() < begun + RECORDED:
            usual(self, *message)

    BagRecording.write = write


MUTANTS = {
    one.__name__: one
    for one in (
        pass_everything, stand_still, command_too_much, resume_by_itself, engage_by_itself, leak,
        start_late, record_nothing,
    )
}  # fmt: skip
"""Mistakes by name."""

if __name__ == '__main__':
    from soliton_encirclement_ros.cli import executables

    mistake, executable = sys.argv[1:3]
    del sys.argv[1:3]
    MUTANTS[mistake]()
    sys.exit(getattr(executables, executable)())
