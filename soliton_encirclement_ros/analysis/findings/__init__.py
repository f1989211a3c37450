"""Evaluates a recording: metrics, figures per agent, events, collisions and warnings."""

from soliton_encirclement_ros.analysis.findings.finding import find
from soliton_encirclement_ros.analysis.findings.finding_records import (
    AgentFindings, Findings, as_json
)
from soliton_encirclement_ros.analysis.findings.finding_settings import default_settings

__all__ = ['AgentFindings', 'Findings', 'as_json', 'default_settings', 'find']
