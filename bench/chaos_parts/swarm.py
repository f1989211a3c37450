"""The swarm of a chaos run: every node a process of its own, spread over three computers.

The vehicles are simulated, all those of a computer in one process (``plant.py``), which no fault
kills or stops: a body does not vanish. Everything else is started as a user starts it.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from chaos_parts.hosts import PARTS, Hosts

from soliton_encirclement_ros.core.scenario.part_plan import (
    PartOptions, adversary_part, agent_part, monitor_part, recorder_part, target_part
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec, save_plan
from support.cli import REPOSITORY, SWARM
from support.ros.process_clock import clock_environment, compile_clock, set_clock

HOSTS = ('a', 'b', 'c')
"""Names of the computers; those that there is one of are on the first."""

TARGET, ADVERSARY, MONITOR, RECORDER = 'target', 'adversary', 'monitor', 'recorder'
OBSERVERS = (MONITOR, RECORDER)

CODE = 'import sys; from soliton_encirclement_ros.cli import executables as e; sys.exit(e.{}())'

EVERY_AGENT = 'agents'
"""Stands for all agents where a mistake is put in."""

WITHOUT_SHARED_MEMORY = {'FASTDDS_BUILTIN_TRANSPORTS': 'UDPv4'}
"""As computers in flight are set: a node that is killed may leave shared memory damaged."""

SEPARATION = 2.0
RADIUS = 20.0


def chaos_scenario(agents: int) -> Scenario:
    """Return the scenario: a ring of 20 m round a slow target, vehicles as those with PX4.

    It turns after an adversary: past those that hover dead where they were.
    """
    changes = {
        'run': {'num_agents': agents, 'init_angles_equidistant': True},
        'swarm': {'encirclement_radius': RADIUS},
        'mobility': {'vehicle_file': 'px4_x500', 'update_rate': 0.025},
        # a vehicle flies on for cmd_vel_timeout = 0.5 s; ten messages in a row may be lost before;
        # who has lost the target flies on for target_state_timeout = 0.5 s and target_hold_time
        'safety': {
            'separation_distance': SEPARATION, 'silent_flight_time': 1.0, 'clock_error': 0.02,
        },
        'control': {'target_hold_time': 0.25},
        'target': {
            'target_motion_speed_xy': 1.0, 'target_motion_boundary_xy': 15.0,
            'target_swarm_spin_enable': True,
        },
        'adversary': {'adversary_roam_speed_xy': 4.0},
        'failure': {'failure_enable': False},
    }  # fmt: skip
    return Scenario('chaos').with_changes(changes, 'chaos')


def vehicle_of(node: str) -> str:
    """Return whose node it is: ``uav_1`` for it and for ``uav_1.bridge``."""
    return node.partition('.')[0]


class How(NamedTuple):
    """How a node is started.

    Attributes:
        host: Computer; empty: its own.
        clock: By how much its clock is ahead [s].
        own_shared_memory: Whether it has a /dev/shm that it shares with nobody.
        label: Name of the process; empty: that of the member.
        mutant: Mistake that is put into it; empty: none.
    """

    host: str = ''
    clock: float = 0.0
    own_shared_memory: bool = False
    label: str = ''
    mutant: str = ''


USUAL = How()


class Swarm:
    """Processes by name, on some computers."""

    def __init__(self, hosts: Hosts, scenario: Scenario, folder: Path, disk: Path) -> None:
        """Plan the swarm; nothing runs yet.

        Args:
            hosts: The computers.
            scenario: What flies.
            folder: Folder of logs and parameters.
            disk: Folder on the first computer to record to.
        """
        self.hosts, self.scenario, self.folder = hosts, scenario, folder
        self.disk = disk
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.mutants: dict[str, str] = {}
        self.transports = WITHOUT_SHARED_MEMORY
        self.agents = [f'uav_{k}' for k in scenario.agent_ids]
        self._specs, self._bodies = self._plan()
        self.nodes = [*self._specs, *OBSERVERS]
        homes = {name: HOSTS[k % len(HOSTS)] for k, name in enumerate(self.agents)}
        self.home = {name: homes.get(vehicle_of(name), HOSTS[0]) for name in self.nodes}
        self._library = compile_clock(folder)
        self._recordings = 0
        for name in ('logs', 'parameters', 'clocks', 'runs'):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def _plan(self) -> tuple[dict[str, NodeSpec], dict[str, NodeSpec]]:
        parts = {
            f'uav_{k}': agent_part(self.scenario, k, PartOptions())
            for k in self.scenario.agent_ids
        }
        parts[TARGET] = target_part(self.scenario, PartOptions())
        parts[ADVERSARY] = adversary_part(self.scenario, PartOptions())
        members = {name: part[0] for name, part in parts.items()}
        return members, {name: part[1] for name, part in parts.items()}

    def start_plants(self, socket: Path) -> None:
        """Start the vehicles, which report to a socket."""
        for host in HOSTS:
            plan = self.folder / 'parameters' / f'plant_{host}.json'
            bodies = [spec for name, spec in self._bodies.items() if self.home[name] == host]
            if not bodies:
                continue
            save_plan(plan, bodies)
            command = sys.executable, '-P', str(PARTS / 'plant.py'), str(plan), str(socket)
            self._run(f'plant_{host}', host, command, USUAL)

    def start(self, name: str, how: How = USUAL) -> None:
        """Start the node of a member, or an observer."""
        spec = self._spec(name)
        label = how.label or name
        file = self.folder / 'parameters' / f'{label}.json'
        given = {key: value for key, value in spec.parameters.items() if value == value}  # set
        file.write_text(json.dumps({'/**': {'ros__parameters': given}}))
        place = ('-r', f'__ns:=/{spec.namespace}') if spec.namespace else ()
        mutant = how.mutant or self.mutants.get(label, '')
        if not mutant and label in self.agents:
            mutant = self.mutants.get(EVERY_AGENT, '')
        program: tuple[str, ...] = '-c', CODE.format(spec.executable)
        if mutant:
            program = '-P', str(PARTS / 'mutants.py'), mutant, spec.executable
        arguments = '--ros-args', *place, '--params-file', str(file)
        self._run(label, how.host or self.home[name], (sys.executable, *program, *arguments), how)

    def _spec(self, name: str) -> NodeSpec:
        if name == MONITOR:
            self._recordings += 1
            return monitor_part(self.scenario, str(self.folder / 'runs' / f'{self._recordings}'))
        if name == RECORDER:
            self._recordings += 1
            return recorder_part(str(self.disk / f'bag_{self._recordings}'), '.*')
        return self._specs[name]

    def swarm_command(self, label: str, *words: str) -> subprocess.Popen[bytes]:
        """Start ``swarm WORDS`` on the first computer."""
        self._run(label, HOSTS[0], (*SWARM, *words), USUAL)
        return self.processes[label]

    def start_script(
        self, label: str, host: str, script: str, *words: str
    ) -> subprocess.Popen[bytes]:
        """Start a script of the folder of this file on a computer; its stdin is a pipe."""
        command = (sys.executable, '-P', str(PARTS / script), *words)
        self._run(label, host, command, USUAL, subprocess.PIPE)
        return self.processes[label]

    def _run(
        self, label: str, host: str, command: Sequence[str], how: How,
        stdin: int = subprocess.DEVNULL,
    ) -> None:  # fmt: skip
        self.set_clock(label, how.clock)
        with (self.folder / 'logs' / f'{label}.log').open('ab') as log:
            self.processes[label] = self.hosts.start(
                host, self._environment(label), command, log, how.own_shared_memory, stdin
            )

    def _environment(self, label: str) -> Mapping[str, str]:
        rooms = REPOSITORY, PARTS.parent, REPOSITORY / 'test'
        environment = {
            **os.environ,
            **self.transports,
            'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET',
            'ROS_DOMAIN_ID': '0',
            'ROS_LOG_DIR': str(self.folder / 'logs' / 'ros'),
            'PYTHONPATH': os.pathsep.join(map(str, rooms)),
        }
        if self._library is not None:
            environment |= clock_environment(self._library, self._clock(label))
        return environment

    def _clock(self, label: str) -> Path:
        return self.folder / 'clocks' / label

    def set_clock(self, label: str, ahead: float) -> None:
        """Set the clock of a process ahead of that of the computer [s]."""
        set_clock(self._clock(label), ahead)

    def signal(self, label: str, number: int) -> None:
        """Send a signal to a process, if it still runs."""
        process = self.processes.get(label)
        if process is not None and process.poll() is None:
            process.send_signal(number)

    def kill(self, label: str) -> None:
        """Kill a process without a warning, also one that is stopped."""
        self.signal(label, signal.SIGKILL)
        process = self.processes.pop(label, None)
        if process is not None:
            process.wait()

    def is_running(self, label: str) -> bool:
        """Say whether a process runs."""
        process = self.processes.get(label)
        return process is not None and process.poll() is None

    def last_words(self, label: str) -> str:
        """Return the last line that a process wrote."""
        log = self.folder / 'logs' / f'{label}.log'
        lines = log.read_text(errors='replace').splitlines() if log.exists() else []
        return lines[-1] if lines else ''

    def end(self, label: str, timeout: float = 20.0) -> int | None:
        """End a process as ctrl-C does; return its exit code, or None if it had to be killed."""
        self.signal(label, signal.SIGCONT)
        self.signal(label, signal.SIGINT)
        process = self.processes.get(label)
        if process is None:
            return None
        try:
            return process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill(label)
            return None
