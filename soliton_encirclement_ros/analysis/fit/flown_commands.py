"""Leaves out commands that a bridge to an autopilot did not pass on.

An agent goes on commanding while its vehicle holds, lands or is flown by a pilot.
"""

from collections.abc import Sequence

import numpy as np
from velocity_mobility_ros.autopilot.engage.states import State

from soliton_encirclement_ros.analysis.recording import BridgeChange, Commands, Member
from soliton_encirclement_ros.analysis.resampling import latest


def with_flown_commands(member: Member, bridges: Sequence[BridgeChange]) -> Member:
    """Return a member with the commands given while its bridge tracked them.

    Args:
        member: The member; without a bridge it is returned as it is.
        bridges: States of all bridges, in order of time.
    """
    own = [change for change in bridges if change.name == member.name]
    if not own or member.commands is None:
        return member
    tracked = np.array([False, *(change.state == State.TRACK.name for change in own)])
    at = latest(np.array([change.time for change in own]), member.commands.time)
    kept = tracked[at + 1]
    return member._replace(commands=Commands(*(column[kept] for column in member.commands)))
