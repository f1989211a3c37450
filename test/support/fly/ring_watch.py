"""What happens in a flight, as everybody on the network sees it: odometry, commands, bridges."""

import itertools
import math

import numpy as np
from diagnostic_msgs.msg import DiagnosticStatus
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry

from soliton_encirclement_ros.core.ring.metrics import encirclement_metrics
from soliton_encirclement_ros.core.states.states import AgentState
from velocity_mobility_ros.ros_io.endpoints import COMMAND, LATCHED, STATE_INPUT

STILL = (0.0, 0.0, 0.0)
STEP = 0.1
"""Time between two looks at a flight [s]."""


class RingWatch:
    """Collects while the nodes of ``ros`` spin.

    Attributes:
        names: The vehicles.
    """

    def __init__(self, ros, field):
        self._ros, self._scenario = ros, field.scenario
        self.names = [f'uav_{k}' for k in field.kinds]
        self._odom = {
            name: ros.listen(Odometry, f'/{name}/odom', STATE_INPUT)
            for name in (*self.names, 'target')
        }
        types = {k: Twist if kind == 'simulated' else TwistStamped
                 for k, kind in field.kinds.items()}  # fmt: skip
        self.commands = {
            f'uav_{k}': ros.listen(kind, f'/uav_{k}/cmd_vel', COMMAND)
            for k, kind in types.items()
        }
        self._reports = {
            f'uav_{k}': ros.listen(DiagnosticStatus, f'/uav_{k}/bridge_state', LATCHED)
            for k, kind in field.kinds.items() if kind != 'simulated'
        }  # fmt: skip

    def heard(self):
        """Return the vehicles whose agents command something, if only zero."""
        return [name for name in self.names if self.commands[name]]

    def story(self, name, since=0):
        """Return the states of a bridge in turn, from its report with a number on."""
        said = [{one.key: one.value for one in report.values}['state']
                for report in self._reports[name][since:]]  # fmt: skip
        return [state for state, _ in itertools.groupby(said)]

    def state(self, name):
        """Return the state of a bridge; empty without one, or before its first word."""
        return self.story(name, -1)[0] if self._reports.get(name) else ''

    @property
    def states(self):
        """The state of every bridge."""
        return {name: self.state(name) for name in self._reports}

    def mark(self):
        """Return the present, for ``goes_on``."""
        return {name: len(reports) for name, reports in self._reports.items()}

    def goes_on(self, name, mark):
        """Return whether a bridge tracks its agent since a mark, but for stops of the machine."""
        story = self.story(name, mark[name])
        return not story or (set(story) <= {'TRACK', 'BRAKE'} and story[-1] == 'TRACK')

    def stood_still(self):
        """Return the numbers of the vehicles whose bridge has told that it stood still itself."""
        return [
            int(name[-1]) for name, reports in self._reports.items()
            if any('stood still' in report.message for report in reports)
        ]  # fmt: skip

    def track(self, name, last=None):
        """Return stamps [s] and positions [m] of a body; of so many messages, the last ones."""
        rows = [
            (m.header.stamp.sec + 1e-9 * m.header.stamp.nanosec, at.x, at.y, at.z)
            for m in self._odom[name][-(last or 0):] for at in [m.pose.pose.position]
        ]  # fmt: skip
        table = np.array(rows).reshape(-1, 4)
        return table[:, 0], table[:, 1:]

    def places(self, names, last=None):
        """Return common times [s] (K,) and positions [m] (N, K, 3) of some bodies."""
        tracks = [self.track(name, last) for name in names]
        if not all(len(times) for times, _ in tracks):
            return np.zeros(0), np.zeros((len(names), 0, 3))
        begin = max(times[0] for times, _ in tracks)
        times = np.arange(begin, min(times[-1] for times, _ in tracks), STEP)
        return times, np.stack([
            np.stack([np.interp(times, at, place[:, axis]) for axis in range(3)], axis=1)
            for at, place in tracks
        ])  # fmt: skip

    def figures(self, names, duration):
        """Return the mean E_r and E_gap of some vehicles in the last seconds; NaN: too few."""
        times, places = self.places([*names, 'target'], last=round(150 * duration))
        times, places = times[times > times[-1:] - duration], places[:, -round(duration / STEP) :]
        if len(times) < 0.9 * duration / STEP:
            return math.nan, math.nan
        radius = self._scenario.swarm.encirclement_radius
        found = [
            encirclement_metrics(
                [AgentState(k, 0, tuple(at), STILL) for k, at in enumerate(row[:-1])],
                tuple(row[-1]), STILL, radius,
            )
            for row in places.swapaxes(0, 1)
        ]  # fmt: skip
        return tuple(np.mean([[one.E_r, one.E_gap] for one in found], axis=0).tolist())

    def closest(self):
        """Return the least distance of two vehicles in the whole flight [m]."""
        _, places = self.places(self.names)
        return min(
            float(np.linalg.norm(a - b, axis=1).min())
            for a, b in itertools.combinations(places, 2)
        )

    def farthest(self):
        """Return the largest coordinates east, north, up of a vehicle, without signs [m]."""
        return np.max([np.abs(self.track(name)[1]).max(axis=0) for name in self.names], axis=0)

    def fastest(self):
        """Return the largest commands, horizontal and vertical [m/s]."""
        given = [getattr(message, 'twist', message).linear
                 for heard in self.commands.values() for message in heard]  # fmt: skip
        return max(math.hypot(v.x, v.y) for v in given), max(abs(v.z) for v in given)
