"""Messages that nobody should send: wrong lengths, names, numbers, stamps and frames."""

import math
import random
from collections.abc import Iterator

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

NUMBERS = (
    math.nan, math.inf, -math.inf, 1e308, -1e308, 1.7e308, 5e-324, -0.0, 0.0, 1.0, -1.0, 1e15,
    2.0**53, 2.0**63,
)  # fmt: skip
SECONDS = (0, 1, -1, 2**31 - 1, -(2**31))
NANOSECONDS = (0, 1, 999_999_999, 1_000_000_000, 2**32 - 1)
FRAMES = ('map', 'base_link', 'uav_1/base_link', '', 'odom', 'x' * 5000, '\u2603', 'uav_1', '%s%n')
OWNERS = (
    'uav_1', 'uav_2', 'uav_3', 'uav_99', 'uav_', 'uav_-1', 'uav_01', 'uav_1e3', 'target',
    'adversary', '', 'uav_\u0661', 'uav_99999999999999999999', 'swarm',
)  # fmt: skip
FIELDS = (
    'x', 'y', 'z', 'seq', 'u', 'u_ss', 'lambda', 'omega_ref', 'prop/a', 'prop/', 'speed', '', 'X',
    'prop/' + 'b' * 2000,
)  # fmt: skip
BODY = ('x', 'y', 'z', 'seq')


def _number(draw: random.Random) -> float:
    return draw.choice(NUMBERS) if draw.random() < 0.6 else draw.uniform(-50.0, 50.0)


def _stamp(draw: random.Random, header: object, now_ns: int) -> None:
    """Set the stamp: now in half of the cases, else somewhere far off."""
    stamp = header.stamp
    if draw.random() < 0.5:
        stamp.sec, stamp.nanosec = divmod(now_ns, 1_000_000_000)
    else:
        stamp.sec, stamp.nanosec = draw.choice(SECONDS), draw.choice(NANOSECONDS)
    header.frame_id = draw.choice(FRAMES)


def _names(draw: random.Random) -> list[str]:
    kind = draw.randrange(6)
    if kind == 0:
        return []
    if kind == 1:
        return [draw.choice(FRAMES) for _ in range(draw.randrange(1, 8))]
    if kind == 2:
        owner, fields = draw.choice(OWNERS), draw.choices(FIELDS, k=draw.randrange(1, 10))
        return [f'{owner}/{field}' for field in fields]
    owner = draw.choice(OWNERS[:4] + OWNERS[8:10])
    extra = {'target': ['omega_ref'], 'adversary': []}.get(owner, ['u', 'u_ss', 'prop/a'])
    names = [f'{owner}/{field}' for field in (*BODY, *extra)]
    if owner == 'target':
        names += ['uav_1/lambda', 'uav_2/lambda']
    if kind == 3:
        draw.shuffle(names)
        names = names[: draw.randrange(len(names))] + names[: draw.randrange(2)]
    return names


def states(draw: random.Random, now_ns: int = 0) -> Iterator[JointState]:
    """Yield JointStates, most of them no states at all, some with monstrous but finite numbers."""
    while True:
        names = _names(draw)
        count = len(names) + draw.choice((0, 0, 0, 0, 1, -1, 100))
        position = [_number(draw) for _ in range(max(0, count))]
        if draw.random() < 0.5:
            position = [
                float(draw.randrange(2**53)) if name.endswith('/seq') else value
                for name, value in zip(names, position, strict=False)
            ]
        velocity = [_number(draw) for _ in range(draw.choice((len(names), len(names), 0, 3)))]
        message = JointState(name=names, position=position, velocity=velocity)
        _stamp(draw, message.header, now_ns)
        yield message


def commands(draw: random.Random) -> Iterator[Twist]:
    """Yield Twists with numbers that are none, or far beyond every limit."""
    while True:
        message = Twist()
        for part in (message.linear, message.angular):
            part.x, part.y, part.z = _number(draw), _number(draw), _number(draw)
        yield message


def stamped_commands(draw: random.Random, now_ns: int = 0) -> Iterator[TwistStamped]:
    """Yield TwistStampeds with such Twists, and strange stamps and frames."""
    for twist in commands(draw):
        message = TwistStamped(twist=twist)
        _stamp(draw, message.header, now_ns)
        yield message


def odometries(draw: random.Random, now_ns: int = 0) -> Iterator[Odometry]:
    """Yield Odometries with poses, attitudes and speeds that no body has."""
    while True:
        message = Odometry(child_frame_id=draw.choice(FRAMES))
        pose, twist = message.pose.pose, message.twist.twist
        for part in (pose.position, pose.orientation, twist.linear, twist.angular):
            part.x, part.y, part.z = _number(draw), _number(draw), _number(draw)
        if draw.random() < 0.5:
            pose.orientation.x = pose.orientation.y = pose.orientation.z = 0.0
        pose.orientation.w = draw.choice((0.0, 1.0, -1.0, math.nan, 1e200))
        _stamp(draw, message.header, now_ns)
        yield message


def diagnostics(draw: random.Random, now_ns: int = 0) -> Iterator[DiagnosticArray]:
    """Yield diagnostics in the world's name that say nonsense."""
    words = ('', 'nan', 'inf', '-1', 'fast', '1e400', '\u2603', '0x10', '1_000')
    while True:
        keys = ('real_time_factor', 'missed_answers', 'tick', '')
        values = [KeyValue(key=key, value=draw.choice(words)) for key in keys]
        name = draw.choice(('world: simulation', 'world: simulation', '', 'uav_1/agent: control'))
        status = DiagnosticStatus(name=name, values=values)
        message = DiagnosticArray(status=[status] * draw.randrange(3))
        _stamp(draw, message.header, now_ns)
        yield message
