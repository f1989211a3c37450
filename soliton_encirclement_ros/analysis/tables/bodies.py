"""Tables of the recorded data of bodies: positions, states and commands."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from soliton_encirclement_ros.analysis.findings import Findings
from soliton_encirclement_ros.analysis.findings.participants import nonempty
from soliton_encirclement_ros.analysis.recording import (
    Floats,
    Member,
    Recording,
    StateSeries,
    Telemetry,
    Track,
)
from soliton_encirclement_ros.analysis.resampling import zero_order_hold
from soliton_encirclement_ros.analysis.tables.table import FLAG, TEXT, WHOLE, Column, Part, Table
from soliton_encirclement_ros.controllers import kind_of
from soliton_encirclement_ros.core.laws.telemetry import speed_squared
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY

TIME = Column('timestamp', 's', meaning='time since the start of the recording')
NAME = Column('name', kind=TEXT, meaning='whose row it is')
NODE = Column('node_id', kind=WHOLE, meaning='number of the agent')

PLACE = (
    Column('x', 'm', meaning='east'),
    Column('y', 'm', meaning='north'),
    Column('z', 'm', meaning='up'),
    Column('vx', 'm/s', meaning='velocity, east'),
    Column('vy', 'm/s', meaning='velocity, north'),
    Column('vz', 'm/s', meaning='velocity, up'),
    Column('velocity_norm', 'm/s', meaning='speed'),
    Column('yaw', 'rad', meaning='heading, counter-clockwise from east'),
)
STANDING = (
    Column('failed', kind=FLAG, meaning='whether the agent was down'),
    Column('pred', kind=WHOLE, meaning='number of its predecessor on the ring, -1: nobody'),
    Column('succ', kind=WHOLE, meaning='number of its successor on the ring, -1: nobody'),
)
SEQ = Column('seq', kind=WHOLE, meaning='number of its last words')
SAID_UNITS = {'age': 's', 'omega_ref': 'rad/s'}
"""Units of what members say; others are bare numbers."""

WANTED = (
    Column('vx', 'm/s', meaning='wanted velocity, east'),
    Column('vy', 'm/s', meaning='wanted velocity, north'),
    Column('vz', 'm/s', meaning='wanted velocity, up'),
    Column('yaw_rate', 'rad/s', meaning='wanted turn, counter-clockwise'),
)


def agents_table(recording: Recording, findings: Findings) -> Table:
    """Return a row per agent and sample of its odometry, else of its telemetry or states.

    What came at other times is the latest before, as long as an agent is not taken for gone.
    """
    members = {one.agent_id: recording.members[one.name] for one in findings.agents}
    first = (NODE, NAME, TIME, *PLACE, *STANDING, SEQ)
    told = _names(members.values(), 'telemetry', [column.name for column in first])
    said = _names(members.values(), 'states', [*(column.name for column in first), *told])
    columns = (
        *first,
        *(_of_law(recording, name) for name in told),
        *(Column(name, SAID_UNITS.get(name, ''), meaning='its words') for name in said),
    )  # fmt: skip

    def parts() -> Iterator[Part]:
        for k, member in members.items():
            yield _body(member, findings.settings.timeout, {'node_id': k})

    return Table('agents', columns, parts)


def _of_law(recording: Recording, name: str) -> Column:
    """Return the column of a value of the law's telemetry, with its unit if the law is known."""
    flown = recording.scenario
    known = kind_of(flown.control.controller).telemetry_quantities if flown else {}
    unit, meaning = known.get(name, ('', 'telemetry of the law'))
    return Column(name, unit, meaning=meaning)


def target_table(recording: Recording, findings: Findings) -> Table:
    """Return a row per sample of the target, and of the adversary."""
    names = (findings.settings.target, ADVERSARY)
    members = [
        recording.members[name] for name in dict.fromkeys(names) if name in recording.members
    ]
    first = (NAME, TIME, *PLACE, SEQ)
    said = _names(members, 'states', [column.name for column in first])
    told = (Column(name, SAID_UNITS.get(name, ''), meaning='its words') for name in said)
    columns = (*first, *told)

    def parts() -> Iterator[Part]:
        for member in members:
            yield _body(member, findings.settings.timeout, {})

    return Table('target', columns, parts)


def commands_table(recording: Recording, findings: Findings) -> Table:
    """Return a row per command of every member."""
    numbers = {one.name: one.agent_id for one in findings.agents}

    def parts() -> Iterator[Part]:
        for name, member in recording.members.items():
            commands = nonempty(member.commands)
            if commands is None:
                continue
            vx, vy, vz = commands.velocity.T
            values = {'vx': vx, 'vy': vy, 'vz': vz, 'yaw_rate': commands.yaw_rate}
            whose = {'node_id': numbers.get(name), 'name': name, 'timestamp': commands.time}
            yield Part(len(commands.time), {**whose, **values})

    return Table('commands', (NODE, NAME, TIME, *WANTED), parts)


def _names(members: Iterable[Member], kind: str, taken: Sequence[str]) -> list[str]:
    """Return the names of the values that members tell, each once, without those taken."""
    parts = [nonempty(getattr(member, kind)) for member in members]
    names = dict.fromkeys(name for part in parts if part for name in part.values)
    return [name for name in names if name not in taken]


def _body(member: Member, timeout: float, more: Mapping[str, object]) -> Part:
    track, told, said = map(nonempty, (member.track, member.telemetry, member.states))
    place = track or told or said
    if place is None:
        return Part(0, {})
    at = place.time
    values = {**more, 'name': member.name, 'timestamp': at, **_place(place)}
    if said is not None:
        values['seq'] = zero_order_hold(said.time, said.seq, at, timeout)
    if told is not None:
        standing = {'failed': told.failed, 'pred': told.pred, 'succ': told.succ}
        values |= _held(told.time, standing, at, timeout)
    # A value that is called like a column is none of the table's.
    for part in filter(None, (told, said)):
        values = _held(part.time, part.values, at, timeout) | values
    return Part(len(at), values)


def _place(place: Track | Telemetry | StateSeries) -> dict[str, Floats]:
    values = dict(zip(('x', 'y', 'z'), place.position.T, strict=True))
    values |= dict(zip(('vx', 'vy', 'vz'), place.velocity.T, strict=True))
    values['velocity_norm'] = np.sqrt(speed_squared(*place.velocity.T))
    return {**values, 'yaw': place.yaw} if isinstance(place, Track) else values


def _held(
    time: Floats, values: Mapping[str, Floats], at: Floats, timeout: float
) -> dict[str, Floats]:
    return {name: zero_order_hold(time, column, at, timeout) for name, column in values.items()}
