"""The lockstep tick as a plain loop over the world and the actors.

Connected like the nodes of a lockstep run, it gives the same rows to the last bit.
"""

from collections.abc import Callable, Mapping, Sequence

from soliton_encirclement_ros.actors import Adversary, Agent, Target, make_actors
from soliton_encirclement_ros.core.laws.telemetry import (
    TelemetryRow,
    telemetry_row,
    telemetry_values,
)
from soliton_encirclement_ros.core.run.observer import ObservedSample, Observer
from soliton_encirclement_ros.core.run.separation.flight_bounds import space_bounds
from soliton_encirclement_ros.core.run.true_motion import truly
from soliton_encirclement_ros.core.run.world import World
from soliton_encirclement_ros.core.scenario.random_streams import run_streams
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.state_validation import is_sound
from soliton_encirclement_ros.core.states.states import AdversaryState, AgentState, State
from soliton_encirclement_ros.core.states.swarm_topics import TARGET
from soliton_encirclement_ros.sim.compilation.compiled_leader import fly_compiled

Crew = Mapping[str, Agent | Target | Adversary]


class SwarmLoop:
    """A world, its actors and an observer, tick by tick.

    ``on_row`` gets every agent's telemetry, ``on_sample`` the metrics that the monitor would
    publish; both in the order of the monitor. ``sent`` holds the states of the last tick.
    """

    def __init__(self, scenario: Scenario, crew: Crew | None = None) -> None:
        """Place all members; the first tick is one control period after the start.

        Args:
            scenario: Scenario of the flight.
            crew: The members by name; None for those of the scenario.
        """
        self.scenario = scenario
        self._streams = run_streams(scenario.run.rng, scenario.run.seed)
        self.world = World(scenario, self._streams)
        self.crew = self._make_crew() if crew is None else crew
        filtered = scenario.is_filtered
        space = space_bounds(scenario.safety, filtered)
        settled = scenario.run.transient_time if scenario.is_estimated else None
        self.observer = Observer(scenario.swarm, filtered, space, settled)
        self.sent: dict[str, State] = {}
        self.on_row: Callable[[TelemetryRow], None] = lambda row: None
        self.on_sample: Callable[[ObservedSample], None] = lambda sample: None
        self._begin()

    def _make_crew(self) -> Crew:
        return make_actors(self.scenario, self._streams, fly_compiled)

    def _begin(self) -> None:
        """Bring the world to the first tick."""
        self.world.advance()

    def tick(self, order: Sequence[str] = ()) -> ObservedSample:
        """Let all members act once and move the world on; return the sample of this tick.

        Args:
            order: Order in which they act; by default the order of members. It must not matter.
        """
        now = self.world.time
        self.sent = {}
        alike = self._received_by_all()
        for name in order or self.world.members:
            self._act(name, now, alike)
        sample = self._observe(now)
        self.world.advance()
        return sample

    def fly(
        self, stop: Callable[[], bool] = lambda: False, each_tick: Callable[[], None] | None = None
    ) -> bool:
        """Fly to the end, or until ``stop`` returns true after a tick; return whether it ended."""
        for _ in range(self.scenario.ticks):
            if stop():
                return False
            self.tick()
            if each_tick is not None:
                each_tick()
        return True

    def _received_by_all(self) -> tuple[State, ...] | None:
        """Return the states that all receive, None if reception differs; includes own states."""
        shared = self.world.shared
        return None if shared is None else tuple(state for state in shared if is_sound(state))

    def _act(self, name: str, now: float, alike: tuple[State, ...] | None) -> None:
        world, member = self.world, self.crew[name]
        member.receive(now, world.received(name) if alike is None else alike)
        member.pose_age = world.pose_age(name)
        if isinstance(member, Agent) and member.is_estimating:
            member.see(world.seen(name, world.tick))
        decision = member.decide(now, world.pose(name))
        world.note_command(name, decision.command)
        world.command(name, decision.command)
        if decision.state is not None:
            world.send(name, decision.state)
            self.sent[name] = decision.state

    def _observe(self, now: float) -> ObservedSample:
        """Pass everything to the observer, in the order of the monitor: the target last."""
        for name in self.world.members:
            member, state = self.crew[name], self._as_it_is(name)
            if isinstance(member, Agent):
                self._note(name, self._row(name, member, now))
            if isinstance(state, AgentState):
                self.observer.see_agent(now, state)
            elif isinstance(state, AdversaryState):
                self.observer.adversary = state
        sample = self.observer.see_target(now, self._as_it_is(TARGET))
        self.on_sample(sample)
        return sample

    def _as_it_is(self, name: str) -> State | None:
        """Return what a member has sent, with its true position and velocity."""
        state = self.sent.get(name)
        if state is None:
            return None
        return truly(state, name, {name: self.world.true_pose(name)})

    def _note(self, name: str, row: TelemetryRow) -> None:
        self.observer.see_telemetry(truly(row, name, {name: self.world.true_pose(name)}))
        self.on_row(row)

    def _row(self, name: str, agent: Agent, now: float) -> TelemetryRow:
        pose = self.world.pose(name)
        _, *columns = telemetry_values(
            pose, agent.failures.failed, agent, agent.filtered, agent.estimated
        )
        return telemetry_row(agent.agent_id, now, *columns)
