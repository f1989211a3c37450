"""What runs the law and the separation filter of an agent: plain Python, or machine code."""

from collections.abc import Callable
from typing import NamedTuple

from soliton_encirclement_ros.actors.command_filter import CommandFilter
from soliton_encirclement_ros.core.laws.law import Law, Setup
from soliton_encirclement_ros.safety.records import FilterSettings, Rows


class AgentCode(NamedTuple):
    """How to make the law and the filter of an agent.

    Attributes:
        law: ``(law, setup)`` to a law that decides the same, to the bit.
        filter: ``(settings, fence)`` to the filter.
    """

    law: Callable[[Law, Setup], Law]
    filter: Callable[[FilterSettings, Rows], CommandFilter]


PLAIN = AgentCode(lambda law, setup: law, CommandFilter)
"""Plain Python."""
