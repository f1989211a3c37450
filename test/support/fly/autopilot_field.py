"""Emulated autopilots, bridges and agents, each a process, for a first flight."""

import math
import sys
from contextlib import ExitStack

import yaml

from soliton_encirclement_ros.core.scenario.launch_arguments import instance_parameter
from soliton_encirclement_ros.core.scenario.part_plan import mixed_plan
from soliton_encirclement_ros.core.scenario.scenario import load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_file, find_scenario
from support.autopilot.ros.process import EmulatedAutopilots, autopilot_environment
from support.cli import NO_CHANGES, NO_SHARED_MEMORY, Process, start_swarm
from support.px4_emulator.ros.process import ROW, SPACING, EmulatedPx4s

RELEASE = '1.17'
FLYABLE = {'com_obl_rc_act': 5, 'com_rcl_except': 4}
BY_LOAD = ('heartbeat_gap', 'stale_stamp', 'setpoint_outside_offboard', 'velocity_step')
"""Rules of time that a bridge on a busy machine breaks."""

STATED = {'ardupilot_failsafes': 'none: emulated'}
"""What is stated besides ``px4_sitl.yaml``."""

OTHERS = {
    'ardupilot': {'kind': 'ap_dds', 'prefix': '/ap/v{}'},
    'mavros': {'kind': 'mavros_px4', 'prefix': '/uav_{}/mavros'},
}
"""Autopilots with services, and the prefix of their topics by number of the agent."""

START = (
    'import sys; from soliton_encirclement_ros.cli import executables; '
    'getattr(executables, sys.argv.pop(1))()'
)


class AutopilotField:
    """Vehicles in a row, agents in flight with a target; all is gone when the block is left.

    Attributes:
        kinds: Kind of each vehicle by number of the agent.
        processes: The nodes, such as ``uav_1.px4_bridge_node``.
        px4s: The emulated PX4s by number of the agent, if there are some.
    """

    def __init__(
        self, domain, folder, kinds=('px4', 'px4', 'px4'), parameters=FLYABLE, bridge=NO_CHANGES,
        victims=(), **changes,
    ):  # fmt: skip
        """Choose vehicles of some kinds, ``uav_1`` first.

        Args:
            domain: ROS domain.
            folder: Where all output lands.
            kinds: The kinds.
            parameters: Of all PX4s.
            bridge: Parameters of all bridges.
            victims: Processes that will be killed; they share no memory with others.
            changes: On top of a low ring of the scenario ``first_flight``.
        """
        self.domain, self.folder = domain, folder
        told = {
            'run': {'num_agents': len(kinds)},
            'swarm': {'encirclement_radius': 8.0},
            'control': {'altitude_offset': 4.0},
            **changes,
        }
        self.scenario = load_scenario(find_scenario('first_flight')).with_changes(told, 'test')
        self.kinds = dict(enumerate(kinds, start=1))
        self._parameters, self._bridge, self._victims = parameters, bridge, victims
        self._stack, self._calls, self.processes, self.px4s = ExitStack(), 0, {}, None

    def __enter__(self):
        emulators = self._px4s() + self._others()
        self.clock = emulators[0][0]
        found = {k: place for _, places in emulators for k, place in places.items()}
        self._numbers = dict(sorted(found.items()))
        bridges = {
            k: {**instance_parameter(kind, k, 1), **self._bridge} for k, kind in self.kinds.items()
        }
        for spec in mixed_plan(self.scenario, self.kinds, bridges, target=True):
            self.start(spec)
        return self

    def _px4s(self):
        """Start the PX4s; return their emulator, and its vehicles by number of the agent."""
        chosen = [k for k, kind in self.kinds.items() if kind == 'px4']
        if not chosen:
            return []
        vehicles = [
            {'instance': k, 'parameters': self._parameters, 'longitude': longitude(k)}
            for k in chosen
        ]
        emulator = self.px4s = EmulatedPx4s(self.folder, self.domain, vehicles, RELEASE)
        self._stack.enter_context(emulator)
        return [(emulator, {k: (emulator, k) for k in chosen})]

    def _others(self):
        chosen = [k for k, kind in self.kinds.items() if kind in OTHERS]
        if not chosen:
            return []
        vehicles = [
            {
                'kind': OTHERS[self.kinds[k]]['kind'],
                'prefix': OTHERS[self.kinds[k]]['prefix'].format(k),
                'settings': {'longitude': longitude(k)},
            }
            for k in chosen
        ]
        emulator = EmulatedAutopilots(self.folder, self.domain, vehicles)
        self._stack.enter_context(emulator)
        return [(emulator, {k: (emulator, place) for place, k in enumerate(chosen, start=1)})]

    def __exit__(self, *error):
        self._stack.close()

    def start(self, spec):
        """Start a node of a plan."""
        name = f'{spec.namespace}.{spec.executable}'.lstrip('.')
        given = {key: value for key, value in spec.parameters.items() if not _is_nan(value)}
        if spec.executable.endswith('_bridge_node'):
            given |= STATED
        content = yaml.safe_dump({'/**': {'ros__parameters': given}})
        (self.folder / f'{name}.yaml').write_text(content, encoding='utf-8')
        files = [str(self.folder / f'{name}.yaml')]
        files += [str(find_file('bridge', 'px4_sitl'))] * spec.executable.endswith('_bridge_node')
        given = [word for file in files for word in ('--params-file', file)]
        command = (sys.executable, '-c', START, spec.executable, '--ros-args', '-r',
                   f'__ns:=/{spec.namespace}', *given)  # fmt: skip
        changes = autopilot_environment(self.domain)
        changes |= NO_SHARED_MEMORY if name in self._victims else NO_CHANGES
        process = Process(command, self.domain, self.folder, name, changes=changes)
        self.processes[name] = self._stack.enter_context(process)

    def stop(self, name):
        """End a node in peace."""
        self.processes[name].interrupt()
        self.until(lambda: self.processes[name].popen.poll() is not None, f'the end of {name}')

    def fly(self, *arguments):
        """Run ``swarm fly`` to its end; return its process."""
        self._calls += 1
        with start_swarm(
            'fly', *arguments, domain=self.domain, folder=self.folder, name=f'fly{self._calls}'
        ) as process:
            self.until(lambda: process.popen.poll() is not None, f'the end of {arguments}', 120.0)
        return process

    def must_fly(self, *arguments):
        """Run ``swarm fly``, which has to succeed."""
        done = self.fly(*arguments)
        assert done.popen.returncode == 0, f'{arguments}: {done.out}{done.err}'
        return done

    def until(self, condition, what, timeout=60.0):
        """Wait until something is true."""
        self.clock.wait(condition, what, timeout)

    def do(self, agent_id, what, **given):
        """Let something happen to a vehicle."""
        emulator, number = self._numbers[agent_id]
        emulator.do(number, what, **given)

    @property
    def vehicles(self):
        """What is true about every vehicle."""
        return [emulator[number] for emulator, number in self._numbers.values()]

    def assert_lawful(self, without_agent=()):
        """Nothing was sent that PX4 misunderstands, and nobody has crashed.

        Args:
            without_agent: Numbers of those whose uXRCE-DDS agent was away, or whose bridge stood
                still: nothing could be sent.
        """
        for k in [k for k, kind in self.kinds.items() if kind == 'px4']:
            one = self.px4s[k]
            borne = (*BY_LOAD, *['left_in_offboard'] * (k in without_agent))
            broken = [told for told in one.violations if told[1] not in borne]
            assert not broken, f'uav_{k}: {broken}'
            assert not one.has_crashed


def longitude(agent_id):
    """Return where a vehicle stands [deg]."""
    return ROW[1] + (agent_id - 1) * SPACING


def _is_nan(value):
    return isinstance(value, float) and math.isnan(value)
