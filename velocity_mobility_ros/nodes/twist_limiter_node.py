"""Smooths velocity commands: ``cmd_vel_raw`` in, ``cmd_vel`` out, within limits of acceleration.

Threading: one thread; the timer takes what has arrived and publishes, a service stops at once.
"""

import math
from dataclasses import dataclass

from geometry_msgs.msg import Twist, TwistStamped
from std_srvs.srv import SetBool

from velocity_mobility_ros.core import twist_smoothing as chain
from velocity_mobility_ros.core.coordinate_frames import check_frame_name
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.step_time import short_timeout, to_seconds
from velocity_mobility_ros.core.twist_smoothing import STILL, ChainRules, MotionLimits
from velocity_mobility_ros.core.velocity_model import zero_limits
from velocity_mobility_ros.nodes.twist_limiter_feedback import LimitTally, VelocityFeedback
from velocity_mobility_ros.ros_io.endpoints import COMMAND, make_publisher
from velocity_mobility_ros.ros_io.graph_faults import several_publishers, takers_of_other_type
from velocity_mobility_ros.ros_io.messages.vehicle_input import CommandInput, refuse_loop
from velocity_mobility_ros.ros_io.node_diagnostics import Condition, Level, NodeDiagnostics
from velocity_mobility_ros.ros_io.node_time import PeriodWatch
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.process.node_process import run_nodes
from velocity_mobility_ros.ros_io.ros_parameters import declare, refuse_unknown, warn_of_idle
from velocity_mobility_ros.ros_io.vehicle_topics import (
    CMD_VEL, CMD_VEL_RAW, EMERGENCY_STOP, MAP_FRAME, ODOM, body_frame
)

OPEN_LOOP, ODOMETRY = 'open_loop', 'odometry'
"""Whether the limiter starts from its own last command, or near to what the vehicle does."""

WITH_ODOMETRY = {'feedback': ODOMETRY}

NO_FEEDBACK = MotionLimits(math.inf, math.inf)


@dataclass(frozen=True)
class TwistLimitParameters(Parameters, live=True):
    """Limits of the smoothed command; all may change while the node runs."""

    max_acc: float = parameter(
        3.0, 'largest acceleration of the command (norm of all three axes); 0: it never changes',
        unit='m/s^2', minimum=0.0,
    )  # fmt: skip
    max_yaw_acc: float = parameter(
        2.0, 'largest yaw acceleration of the command; 0: the yaw rate never changes',
        unit='rad/s^2', minimum=0.0,
    )  # fmt: skip
    max_speed_xy: float = parameter(
        10.0, 'largest horizontal speed (norm); 0: no motion', unit='m/s', minimum=0.0
    )
    max_speed_z: float = parameter(
        5.0, 'largest vertical speed; 0: no motion', unit='m/s', minimum=0.0
    )
    max_yaw_rate: float = parameter(
        1.5, 'largest yaw rate; 0: no turning', unit='rad/s', minimum=0.0
    )
    deadband_speed: float = parameter(
        0.0, 'speed (norm) below which a received command stands still', unit='m/s', minimum=0.0
    )
    deadband_yaw_rate: float = parameter(
        0.0, 'yaw rate below which a received command does not turn', unit='rad/s', minimum=0.0
    )
    cmd_vel_timeout: float = parameter(
        0.5, 'time without a command after which the target is zero; 0: never', unit='s',
        minimum=0.0,
    )  # fmt: skip
    max_dt: float = parameter(
        0.1, 'longest time between two outputs that counts for the limits', unit='s', above=0.0
    )
    max_velocity_error: float = parameter(
        2.0, 'largest difference from the command to the measured velocity', unit='m/s',
        minimum=0.0, only_with=WITH_ODOMETRY,
    )  # fmt: skip
    max_yaw_rate_error: float = parameter(
        1.0, 'largest difference from the command to the measured yaw rate', unit='rad/s',
        minimum=0.0, only_with=WITH_ODOMETRY,
    )  # fmt: skip

    def rules(self, has_feedback: bool) -> ChainRules:
        """Return the parameters of the command chain."""
        error = MotionLimits(self.max_velocity_error, self.max_yaw_rate_error)
        return ChainRules(
            self.max_speed_xy,
            self.max_speed_z,
            self.max_yaw_rate,
            self.deadband_speed,
            self.deadband_yaw_rate,
            MotionLimits(self.max_acc, self.max_yaw_acc),
            self.max_dt,
            self.cmd_vel_timeout,
            error if has_feedback else NO_FEEDBACK,
        )


@dataclass(frozen=True)
class TwistLimiterNodeParameters(Parameters):
    """Interface of the node."""

    publish_period: float = parameter(
        0.02, 'time between two outputs', unit='s', minimum=1e-3, maximum=10.0
    )
    enable_stamped_cmd_vel: bool = parameter(
        False, 'input and output are TwistStamped; false: Twist'
    )
    cmd_vel_frame: str = parameter(
        MAP_FRAME, 'frame of the commands; a TwistStamped in another one is refused',
        choices=('map', 'base_link'),
    )  # fmt: skip
    child_frame_id: str = parameter('', 'body frame; empty: NAMESPACE/base_link')
    feedback: str = parameter(
        OPEN_LOOP, 'what a change is counted from: the last output, or near to the odometry',
        choices=(OPEN_LOOP, ODOMETRY),
    )  # fmt: skip
    odom_timeout: float = parameter(
        0.5, 'age of the odometry at which it is no longer used', unit='s', above=0.0,
        maximum=60.0, only_with=WITH_ODOMETRY,
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse an invalid frame name."""
        super().__post_init__()
        check_frame_name('child_frame_id', self.child_frame_id)


NAME = 'twist_limiter'


class TwistLimiterNode(PollingNode):
    """The command chain of one vehicle on its own timer."""

    def __init__(self, **options: object) -> None:
        """Declare the parameters and subscribe.

        Args:
            **options: Passed on to ``rclpy.node.Node``.
        """
        super().__init__(NAME, **options)
        self._limits = declare(self, TwistLimitParameters)
        self._settings = settings = declare(self, TwistLimiterNodeParameters)
        refuse_unknown(self)
        warn_of_idle(self, self._limits, settings)
        refuse_loop(self)
        self._apply(self._limits)
        self.look_at_doubts()
        self.follow(self._limits, self._apply)
        self._health = NodeDiagnostics(
            self, 'smoothing', self._diagnostic_values, self._conditions,
            hardware_id=self.get_namespace(),
        )  # fmt: skip
        self._state, self._tally = chain.at_rest(self.node_time.even_ns()), LimitTally()
        self._period = PeriodWatch(
            'publish period', settings.publish_period, self.node_time
        )
        kind = TwistStamped if settings.enable_stamped_cmd_vel else Twist
        body = settings.child_frame_id or body_frame(self.get_namespace())
        in_body = settings.cmd_vel_frame != MAP_FRAME
        self._input = CommandInput(self, kind, body, in_body)
        self._feedback = None
        if settings.feedback == ODOMETRY:
            self._feedback = VelocityFeedback(self, body, in_body, settings.odom_timeout)
        self._output = make_publisher(self, kind, CMD_VEL, COMMAND)
        self.create_service(SetBool, EMERGENCY_STOP, self._on_emergency_stop)
        self.create_timer(settings.publish_period, self._on_timer)
        self.get_logger().info(self._start_line(kind))

    def _start_line(self, kind: type) -> str:
        limits, settings = self._limits, self._settings
        origin = f'near the odometry on {self.resolve_topic_name(ODOM)}'
        return (
            f'{kind.__name__} in {settings.cmd_vel_frame} from '
            f'{self.resolve_topic_name(CMD_VEL_RAW)} (timeout {limits.cmd_vel_timeout:g} s) to '
            f'{self.resolve_topic_name(CMD_VEL)} at {1.0 / settings.publish_period:g} Hz within '
            f'{limits.max_speed_xy:g} m/s horizontal, {limits.max_speed_z:g} m/s vertical, '
            f'{limits.max_yaw_rate:g} rad/s, {limits.max_acc:g} m/s^2 and '
            f'{limits.max_yaw_acc:g} rad/s^2, '
            f'{origin if self._feedback else "open loop"}'
        )

    def _apply(self, limits: TwistLimitParameters) -> None:
        self._limits = limits
        self._rules = limits.rules(self._settings.feedback == ODOMETRY)

    def doubts(self) -> list[str]:
        """Return which limits let the vehicle not move, and timeouts that are too short."""
        limits, period = self._limits, self._settings.publish_period
        effects = {
            'cmd_vel_timeout': 'the output slows down between two commands',
            'max_dt': 'the accelerations stay below their limits',
        }
        short = [
            short_timeout(name, getattr(limits, name), 'publish_period', period, effect)
            for name, effect in effects.items()
        ]
        return [*zero_limits(limits), *filter(None, short)]

    def _on_timer(self) -> None:
        """Read all messages, make one update, publish."""
        self._period.tick()
        now_ns = self.node_time.now_ns()
        even_ns = now_ns - self.node_time.set_on_ns
        timeout, refuse = self._limits.cmd_vel_timeout, self._health.refuse
        for wanted in self._input.take(now_ns, timeout, refuse):
            self._state = chain.accept(self._state, wanted, even_ns)
        measured, is_measured = STILL, False
        if self._feedback is not None:
            measured, is_measured = self._feedback.update(now_ns, refuse)
        setbacks = self._state.limiter.clock.setbacks
        self._state = chain.step(self._rules, self._state, measured, is_measured, even_ns)
        if self._state.limiter.clock.setbacks > setbacks:
            self._health.warn('time went back: the last command is held for one period')
        if self._state.is_started:
            self._tally.add(self._state)
            self._publish(now_ns)

    def _publish(self, now_ns: int) -> None:
        self._output.publish(self._input.writer.write(*self._state.limiter.motion, now_ns))

    def _on_emergency_stop(
        self, request: SetBool.Request, response: SetBool.Response
    ) -> SetBool.Response:
        """Stop at once, past the limiter, or release."""
        if request.data:
            self._state = chain.stop(self._state)
            self._publish(self.node_time.now_ns())
            response.message = 'stopped until called with false'
        else:
            self._state = chain.release(self._state)
            response.message = 'released: waits for the next command'
        response.success = True
        self.get_logger().warning(f'emergency stop: {response.message}')
        return response

    def _diagnostic_values(self) -> dict[str, object]:
        state = self._state
        age = self._command_age() if state.has_command else math.inf
        return {
            'factor': f'{state.limiter.factor:.3f}',
            'speed_m_per_s': f'{math.hypot(*state.limiter.motion.velocity):.3f}',
            'command_age_s': f'{age:.3f}',
            'timeouts': state.timeouts,
            'clock_setbacks': state.limiter.clock.setbacks,
            'emergency_stop': str(state.is_stopped).lower(),
            **self._tally.take(),
        }

    def _command_age(self) -> float:
        """Return how long ago [s] the last command came."""
        return to_seconds(self.node_time.even_ns() - self._state.command_ns)

    def _conditions(self) -> list[Condition]:
        now_ns = self.node_time.now_ns()
        return [
            *self._command_conditions(),
            *(self._feedback.conditions(now_ns) if self._feedback is not None else []),
            *self._period.conditions(),
            *several_publishers(self, CMD_VEL, Level.ERROR),
            *several_publishers(self, CMD_VEL_RAW, Level.WARN),
            *takers_of_other_type(self, self._output),
        ]

    def _command_conditions(self) -> list[Condition]:
        state = self._state
        if state.is_stopped:
            reason = 'emergency stop is on: zero until emergency_stop is called with false'
            return [Condition(Level.ERROR, reason, 'emergency stop')]
        if state.has_command:
            return []
        age = self._command_age() if state.timeouts else math.inf
        return self._input.missing(age, self._limits.cmd_vel_timeout)


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [TwistLimiterNode()], args)
