"""Heights of the bodies of a flight, where they matter."""

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import Findings
from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.analysis.report.scene import SceneMotion, motion
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET

LEAST = 0.5
"""Heights that differ by less [m], in time and between bodies, are not drawn: all fly in a plane,
and an estimate of height wanders by some tenths of a metre."""


def moving_bodies(recording: Recording, findings: Findings) -> dict[str, SceneMotion]:
    """Return the motion of agents, target and adversary by name, those that are known."""
    names = [*(agent.name for agent in findings.agents), findings.settings.target, TARGET]
    names = [name for name in (*names, ADVERSARY) if name in recording.members]
    moved = {name: motion(recording.members[name]) for name in dict.fromkeys(names)}
    return {name: one for name, one in moved.items() if one is not None}


def has_heights(bodies: dict[str, SceneMotion]) -> bool:
    """Return whether heights differ, from body to body or over time."""
    heights = np.concatenate([np.empty(0), *(one.position[:, 2] for one in bodies.values())])
    known = heights[np.isfinite(heights)]
    return bool(len(known)) and float(np.ptp(known)) > LEAST
