"""A chaos run of emulated PX4s: each on a computer, with its bridge and its agent.

Bridges are killed and stopped like agents. The autopilots are not: an operator lets them take off
(``px4_operator.py``), and engages again whom a fault has left in hold.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import yaml
from chaos_parts.hosts import Hosts
from chaos_parts.swarm import HOSTS, TARGET, Swarm

from soliton_encirclement_ros.core.scenario.launch_arguments import PX4, instance_parameter
from soliton_encirclement_ros.core.scenario.part_plan import PartOptions, agent_part, target_part
from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.core.scenario.user_files import find_file, find_scenario
from support.autopilot.ros.process import PACKAGES
from support.interfaces.environment import environment_with
from support.px4_emulator.ros.process import BARE, ROW, SPACING

AGENTS = 3
RELEASE = '1.17'
OPERATOR = 'operator'

AUTOPILOT = {
    'com_obl_rc_act': 5, 'com_rcl_except': 4, 'com_of_loss_t': 1.5, 'com_disarm_land': 0.5,
}  # fmt: skip
"""Parameters of PX4: holds when OFFBOARD is lost, needs no radio control."""

BRIDGE = {'position_timeout': 1.5, 'command_timeout': 1.0}
"""What a bridge bears on a machine that is late."""


def bridge_of(agent: str) -> str:
    """Return the name of the bridge of an agent."""
    return f'{agent}.bridge'


def px4_scenario(agents: int) -> Scenario:
    """Return the scenario: a low ring of 8 m round a slow target, 4 m between vehicles."""
    changes = {
        'run': {'num_agents': agents},
        'control': {'altitude_offset': 4.0},
        'safety': {
            'silent_flight_time': 2.0, 'fence': '-80 -80, 80 -80, 80 80, -80 80',
        },
    }  # fmt: skip
    return load_scenario(find_scenario('first_flight')).with_changes(changes, 'chaos')


class Px4Swarm(Swarm):
    """Agents and bridges by name; the target is simulated."""

    def __init__(self, hosts: Hosts, scenario: Scenario, folder: Path, disk: Path) -> None:
        """Plan the swarm, see ``Swarm``."""
        super().__init__(hosts, scenario, folder, disk)
        self._bridges = {bridge_of(name) for name in self.agents}

    def _plan(self) -> tuple[dict[str, NodeSpec], dict[str, NodeSpec]]:
        stated = yaml.safe_load(find_file('bridge', 'px4_sitl').read_text())
        given = {**stated['/**']['ros__parameters'], **BRIDGE}
        agents, bridges = {}, {}
        for k in self.scenario.agent_ids:
            own = {**given, **instance_parameter(PX4, k, 1)}
            name = f'uav_{k}'
            agents[name], bridges[bridge_of(name)] = agent_part(
                self.scenario, k, PartOptions(PX4, bridge=own)
            )
        target, body = target_part(self.scenario, PartOptions())
        return {**agents, **bridges, TARGET: target}, {TARGET: body}

    def start_plants(self, socket: Path) -> None:
        """Start the target's vehicle, the autopilots and their operator."""
        super().start_plants(socket)
        for name in self.agents:
            k = int(name.removeprefix('uav_'))
            settings = {
                'instance': k, 'release': RELEASE, 'vehicle': 'kinematic', 'seed': k,
                'latitude': ROW[0], 'longitude': ROW[1] + (k - 1) * SPACING, 'altitude': ROW[2],
                'parameters': AUTOPILOT,
            }  # fmt: skip
            self.start_script(
                f'px4_{k}', self.home[name], 'px4_plant.py', json.dumps(settings), str(socket),
                str(self._words(name)),
            )
        words = [f'{name}={self._words(name)}' for name in self.agents]
        self.start_script(OPERATOR, HOSTS[0], 'px4_operator.py', str(socket), *words)

    def _words(self, name: str) -> Path:
        """Return the socket on which an autopilot hears that the operator speaks."""
        return self.folder / f'words_{name}'

    def _environment(self, label: str) -> Mapping[str, str]:
        base = dict(super()._environment(label))
        if label in self._bridges:
            return environment_with(base, *PACKAGES, px4_release=RELEASE)
        if label.startswith('px4_'):
            return environment_with(base, px4_release=RELEASE) | BARE
        return base
