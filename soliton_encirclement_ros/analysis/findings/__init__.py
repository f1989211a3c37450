"""From a recording to figures: who did what, how well, and what went wrong."""

from soliton_encirclement_ros.analysis.findings.records import (
    AgentFindings,
    Agreement,
    Collision,
    Findings,
    Outage,
    Separation,
    Settings,
)

__all__ = [
    'AgentFindings',
    'Agreement',
    'Collision',
    'Findings',
    'Outage',
    'Separation',
    'Settings',
]
