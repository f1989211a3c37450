"""Where the ground is during one flight, kept for a bridge that is started in the air.

A wrong height is worse than none. What was kept counts for the same arming of the same autopilot
only, whose time since its start no other arming and no other start shares, in the same local
frame, and where the estimator tells all that has moved the heights since then.
"""

import json
import math
from typing import Any, NamedTuple

from velocity_mobility_ros.autopilot.autopilot_reports import (
    COUNTS, LocalPosition, Reference, VehicleStatus
)
from velocity_mobility_ros.autopilot.swarm_frame import (
    GNSS, TAKEOFF_RELATIVE, FrameParameters, SwarmFrame, conversion_fault
)
from velocity_mobility_ros.core.user_errors import shown

NO_STORED_GROUND = 'no height was kept for this flight'


class GroundMemory(NamedTuple):
    """The ground during one flight.

    Attributes:
        ground: Its height in the local frame [m].
        z_jumps: Counter of the estimator's jumps of the height.
        armed_us: The autopilot's time of the arming [us].
        system_id: Its MAVLink system id.
        reference: Place of the local origin on Earth; None: it does not matter.
    """

    ground: float
    z_jumps: int
    armed_us: int
    system_id: int
    reference: Reference | None


StoredGround = GroundMemory | str
"""What was kept before the start, or why there is nothing; empty: not looked for."""


def memory_of(
    settings: FrameParameters, frame: SwarmFrame, status: VehicleStatus
) -> GroundMemory | None:
    """Return the memory to store; None: there is none at present.

    Args:
        settings: How frames lie.
        frame: What is known of the local frame.
        status: The status of the autopilot.
    """
    place = frame.reference
    is_known = status.armed_us > 0 and frame.armed_us == status.armed_us
    if not (is_known and status.is_armed and settings.z_offset_mode == TAKEOFF_RELATIVE):
        return None
    if not all(map(math.isfinite, (frame.ground, *(place or ())))):
        return None
    return GroundMemory(frame.ground, frame.z_jumps, status.armed_us, status.system_id, place)


def restore_ground(
    settings: FrameParameters,
    frame: SwarmFrame,
    local: LocalPosition,
    status: VehicleStatus,
    stored: StoredGround,
) -> SwarmFrame:
    """Return the frame with the ground of this flight: the known one, or the stored one.

    Args:
        settings: How frames lie.
        frame: The frame after the report.
        local: The report of the local position.
        status: The status of the autopilot.
        stored: What was stored before the start.
    """
    if not status.is_armed:
        is_fresh = not frame.armed_us and not frame.forgotten
        return frame if is_fresh else frame._replace(armed_us=0, forgotten='')
    known = _of_this_arming(frame, status)
    is_placed = settings.origin_mode != GNSS or known.reference is not None
    if stored and is_placed and math.isnan(known.ground) and not known.forgotten:
        known = _restore(known, local, status, stored)
    return known if known is frame else known._replace(fault=conversion_fault(settings, known))


def _restore(
    frame: SwarmFrame, local: LocalPosition, status: VehicleStatus, stored: StoredGround
) -> SwarmFrame:
    forgotten = refusal(stored, frame, local, status)
    if forgotten or isinstance(stored, str):
        return frame._replace(forgotten=forgotten)
    return frame._replace(ground=stored.ground + _height_jump(stored, local))


def _of_this_arming(frame: SwarmFrame, status: VehicleStatus) -> SwarmFrame:
    """Return the frame without a ground from before an arming that went unheard."""
    if frame.armed_us == status.armed_us:
        return frame
    ground = math.nan if frame.armed_us else frame.ground
    return frame._replace(ground=ground, armed_us=status.armed_us, forgotten='')


def refusal(
    stored: StoredGround, frame: SwarmFrame, local: LocalPosition, status: VehicleStatus
) -> str:
    """Return why a kept height does not hold for this flight; empty if it does.

    Args:
        stored: What was stored before the start.
        frame: The frame after the report.
        local: The report of the local position.
        status: The status of the autopilot, armed.
    """
    if status.armed_us == 0:
        return 'the autopilot does not tell which flight this is'
    if isinstance(stored, str):
        return stored
    if stored.system_id != status.system_id:
        return f'the kept height is of system {stored.system_id}, not {status.system_id}'
    if stored.armed_us != status.armed_us:
        return 'the kept height is of another flight'
    if stored.reference != frame.reference:
        return 'the origin of the local frame has moved since a height was kept'
    return _jumps_unknown(stored, local)


def _jumps_unknown(stored: GroundMemory, local: LocalPosition) -> str:
    jumps = _jumps(stored, local)
    if jumps > 1:
        return f'the estimated height has jumped {jumps} times since a height was kept'
    if not math.isfinite(_height_jump(stored, local)):
        return 'the estimated height has jumped by an unknown amount since a height was kept'
    return ''


def _jumps(stored: GroundMemory, local: LocalPosition) -> int:
    return (local.resets.z - stored.z_jumps) % COUNTS


def _height_jump(stored: GroundMemory, local: LocalPosition) -> float:
    """Return by how much all heights have jumped since [m]: once at most."""
    return local.resets.delta_z if _jumps(stored, local) else 0.0


def to_text(memory: GroundMemory) -> str:
    """Return a memory as the text of a file."""
    reference = None if memory.reference is None else memory.reference._asdict()
    return json.dumps({**memory._asdict(), 'reference': reference}, indent=2) + '\n'


def of_text(text: str) -> GroundMemory:
    """Return the memory of a text.

    Raises:
        ValueError: The text is none of a memory.
    """
    try:
        values = json.loads(text)
        place = values.pop('reference')
        reference = None if place is None else Reference(**place)
        memory = GroundMemory(**values, reference=reference)
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        reason = shown(str(error))
        raise ValueError(f'not as it was written ({type(error).__name__}: {reason})') from None
    _check(memory)
    return memory


def _check(memory: GroundMemory) -> None:
    numbers: tuple[Any, ...] = (memory.ground, *(memory.reference or ())[1:])
    counts: tuple[Any, ...] = (memory.z_jumps, memory.armed_us, memory.system_id)
    counts += tuple(memory.reference or ())[:1]
    for value in counts:
        if type(value) is not int or not 0 <= value < 1 << 64:
            raise ValueError(f'{value!r} is no count')
    for value in numbers:
        if type(value) is not float or not math.isfinite(value):
            raise ValueError(f'{value!r} is no finite number')
