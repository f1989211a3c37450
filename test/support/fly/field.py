"""Some played bridges, agents for them if wanted, and ``swarm fly`` as a process beside them."""

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Twist

from soliton_encirclement_ros.cli.runs.node_host import make_node
from soliton_encirclement_ros.core.scenario.part_plan import (
    PartOptions, agent_part, with_parameters
)
from support.cli import start_swarm
from support.fly.played_bridge import PlayedBridge
from support.ros.swarm import scenario
from velocity_mobility_ros.ros_io.endpoints import COMMAND, LATCHED


class Field:
    """Vehicles that stand apart on a field."""

    def __init__(self, ros, folder, count=3, fleet='', stated=None):
        self.ros, self.folder, self.fleet = ros, folder, fleet
        everybody = ', '.join(f'uav_{k}' for k in range(1, count + 1))
        self._stated = everybody if stated is None else stated
        self.bridges = {}
        self.commands = {}
        self.orders = ros.listen(DiagnosticArray, f'{fleet}/swarm/stop', LATCHED)
        for k in range(1, count + 1):
            self.add(k)

    def add(self, k, **values):
        """Add a vehicle."""
        place = {'x': f'{8.0 * k}', 'y': '0.0', 'z': '0.0'}
        self.bridges[f'uav_{k}'] = self.ros.add(
            PlayedBridge(f'uav_{k}', self.fleet, self._stated, **{**place, **values})
        )

    def __getitem__(self, name):
        return self.bridges[name]

    def add_agents(self):
        """Add an agent to each vehicle, and a target in the middle of nowhere."""
        few = scenario(
            run={'num_agents': len(self.bridges)}, failure={'failure_enable': False},
            adversary={'adversary_enable': False},
        )  # fmt: skip
        for k, name in enumerate(self.bridges, start=1):
            for spec in agent_part(few, k, PartOptions('none')):
                plain = with_parameters(spec, {'enable_stamped_cmd_vel': False})
                self.ros.add(make_node(plain))
            self.commands[name] = self.ros.listen(Twist, f'/{name}/cmd_vel', COMMAND)

    def fly(self, *arguments, ends=lambda said: False):
        """Run ``swarm fly`` to its end; return its process.

        Ctrl-C is pressed once ``ends`` of what it has said.
        """
        name = f'fly{len(list(self.folder.glob("*.out")))}'
        with start_swarm(
            'fly', *arguments, domain=self.ros.domain, folder=self.folder, name=name
        ) as process:
            self.ros.until(
                lambda: process.popen.poll() is not None or ends(process.out), 'the ctrl-C'
            )
            if process.popen.poll() is None:
                process.interrupt()
            self.ros.until(lambda: process.popen.poll() is not None, 'the end of swarm fly')
        return process

    def in_the_air(self, state='HOLD'):
        """Let all fly."""
        for bridge in self.bridges.values():
            bridge.go(state)

    @property
    def stops(self):
        """The orders to agents, in turn: ``stop everybody``, ``release everybody``."""
        return [message.status[-1].message for message in self.orders]

    @property
    def states(self):
        """The state of each."""
        return {name: bridge.state for name, bridge in self.bridges.items()}

    @property
    def called(self):
        """What each was asked for."""
        return {name: bridge.called for name, bridge in self.bridges.items()}
