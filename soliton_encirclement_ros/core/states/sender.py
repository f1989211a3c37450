"""The sender of a state."""

from soliton_encirclement_ros.core.states.states import AdversaryState, AgentState, State
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav


def sender_of(state: State) -> str:
    """Return the name of the member that a state belongs to."""
    if isinstance(state, AgentState):
        return uav(state.agent_id)
    return ADVERSARY if isinstance(state, AdversaryState) else TARGET
