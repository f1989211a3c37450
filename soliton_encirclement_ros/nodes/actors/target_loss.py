"""Whether an agent has to stop itself: a target that is back after a long loss is not flown to."""

from soliton_encirclement_ros.members.own_agent import Agent


class TargetLoss:
    """Looks at an agent at every tick; one loss stops it at most once.

    A loss begins to count once the target has been heard, and is over once it is heard again. One
    that grows too long while the agent is stopped already, or down, stops nobody later: whoever
    releases the agent lets it fly.
    """

    def __init__(self, agent: Agent) -> None:
        """Begin without a target that was heard."""
        self._agent = agent
        self._counts = False

    def reason_to_stop(self, now: float, longest: float, is_stopped: bool) -> str:
        """Return why the agent has to stop itself now, empty if it need not.

        Args:
            now: Time of the agent [s].
            longest: Longest time without the target [s]; 0: any.
            is_stopped: Whether it is stopped already.
        """
        agent = self._agent
        if agent.failures.failed:
            self._counts = False
        elif agent.hears_target(now):
            self._counts = True
        elif self._counts and 0.0 < longest < agent.target_age(now):
            self._counts = False
            return '' if is_stopped else f'target lost for {longest:g} s'
        return ''
