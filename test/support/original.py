"""For tests against the original experiment: its scenarios by its own names."""

from typing import Any

from soliton_encirclement_ros.core import AgentState, encirclement_metrics
from soliton_encirclement_ros.core.scenario.scenario import SECTIONS, Scenario
from soliton_encirclement_ros.core.states.received_states import drop_old, list_cached
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav
from soliton_encirclement_ros.members.own_target import Target
from support.plain_loop import EventLoop
from velocity_mobility_ros.core.parameter_declaration import declarations

PERIODS = {
    'soliton_v1': {
        'control_period': 0.01, 'agent_state_timeout': 0.03, 'target_state_timeout': 0.05
    },
    'two_channel': {
        'control_period': 0.05, 'agent_state_timeout': 0.25, 'target_state_timeout': 0.5
    },
}  # fmt: skip
REFERENCE = {'run': {'rng': 'reference'}}
SPIN_LAW = {'soliton_v1': 'v1', 'two_channel': 'v3'}
GOLDEN = {
    'soliton_v1': (
        (0.03998127939711248, 0.9654907523210955, 0.34763030798039624, 1.5233700268516857,
         0.42087744459633325),
        (1.227226634650787, 0.0461796409058568, -1.1468239756447574),
    ),
    'two_channel': (
        (0.052888957940613, 0.8637893881644442, 0.3558881395374351, 1.5342799291569984,
         0.40195244101076516),
        (0.8634290868130657, -1.4504702965265892, 0.8439704254522284),
    ),
}  # fmt: skip
"""Spec part 18: the last row of 2 s, seed 0, three agents; metrics and every agent's u."""


def original(law: str, changes: dict[str, dict[str, Any]]) -> Scenario:
    """Return a scenario with the original's periods and laws, then changed."""
    base = {
        'swarm': PERIODS[law],
        'control': {'controller': law},
        'target': {'target_swarm_spin_law': SPIN_LAW[law], 'edge_weight_always_fresh': False},
        'safety': {'separation_filter': False},
    }
    return Scenario().with_changes(base, 'original').with_changes(changes, 'changes')


def overridden(overrides: dict[str, Any], seed: int = 0) -> Scenario:
    """Return the scenario of a reference run from the original's names.

    Raises:
        KeyError: A name is none of the original's.
    """
    changes: dict[str, dict[str, Any]] = {}
    for name, value in overrides.items():
        section, key = OWN_NAMES.get(name) or _lower_case(name)
        changes.setdefault(section, {})[key] = value
    law = 'two_channel' if 'method' in overrides else 'soliton_v1'
    plain = {'propagation': {'propagation_method': 'baseline', 'propagation_k_prop': 0.0}}
    return (
        original(law, plain)
        .with_changes(changes, 'run')
        .with_changes({'run': {'seed': seed}}, 'seed')
    )


OWN_NAMES = {
    'method': ('propagation', 'propagation_method'),
    'k_prop': ('propagation', 'propagation_k_prop'),
    'mode': ('control', 'tangential_composition_mode'),
    'seed': ('run', 'seed'),
}
"""Parameters that a reference run calls by other names than the original's constants."""


def _lower_case(name: str) -> tuple[str, str]:
    """Return section and key of one of the original's constants: its name in lower case."""
    key = name.lower()
    for section, record in SECTIONS.items():
        if key in declarations(record):
            return section, key
    raise KeyError(f'{name}: the original has no such constant')


class Watched(EventLoop):
    """The event loop with an eye on telemetry: the target's rows, every agent's u."""

    def __init__(self, scenario: Scenario, crew: dict[str, Any] | None = None) -> None:
        """Place everybody."""
        self.rows: list[tuple[float, ...]] = []
        self.u: dict[tuple[float, str], float] = {}
        super().__init__(scenario, crew)

    def place(self, positions: list[list[float]]) -> None:
        """Put the agents somewhere else."""
        for k, (x, y, z) in enumerate(positions, 1):
            body = self.world.bodies[uav(k)]
            body.state = body.state._replace(position=(x, y, z))

    def _on_note(self, now: float, name: str) -> None:
        if name != TARGET:
            if name != ADVERSARY:
                own = self.crew[name].rows
                self.u[now, name] = own.flight.messages[own.i][0]
            return
        pose, radius = self.world.pose(TARGET), self.scenario.swarm.encirclement_radius
        states = heard_agents(self.crew[TARGET], now)
        self.rows.append((now, *encirclement_metrics(states, *pose, radius)[:5]))


def heard_agents(target: Target, now: float) -> list[AgentState]:
    """Return the agents that a target knows, in the order in which it first heard them."""
    keeps = target._rows.target_cache
    drop_old(keeps, target._rules.swarm.agent_timeout, now)
    kept = [(j, keeps.rows[j]) for j in list_cached(keeps)]
    return [
        AgentState(j, one.seq, (one.x, one.y, 0.0), (one.vx, one.vy, 0.0)) for j, one in kept
    ]
