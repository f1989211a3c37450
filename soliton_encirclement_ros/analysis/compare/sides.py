"""Makes sides of a comparison from recordings and run folders."""

import csv
from collections import defaultdict
from pathlib import Path

import numpy as np

from soliton_encirclement_ros.analysis.compare.alignment import motion_of, start_of_motion
from soliton_encirclement_ros.analysis.compare.comparison_records import Side
from soliton_encirclement_ros.analysis.compare.recording_figures import from_findings, from_summary
from soliton_encirclement_ros.analysis.findings.finding_records import Findings
from soliton_encirclement_ros.analysis.recording import SIMULATED, Recording
from soliton_encirclement_ros.analysis.report.scene import replay
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.ring.metrics import SAMPLE_TEXTS
from soliton_encirclement_ros.core.run.finished_run import read_run, read_samples
from soliton_encirclement_ros.core.run.run_folder import AGENT_CSV, MANIFEST
from soliton_encirclement_ros.core.scenario.scenario import scenario_from_dict


def side_from_recording(name: str, recording: Recording, findings: Findings) -> Side:
    """Return a recording as a side."""
    moved = [motion_of(recording.members[agent.name]) for agent in findings.agents]
    failed = [event.time for event in findings.events if event.failed]
    series = {
        key: np.asarray(values, float)
        for key, values in findings.series.items()
        if key == 'time' or (key in SAMPLE_TEXTS and np.isfinite(values).any())
    }
    return Side(
        name=name,
        path=recording.path,
        clock=recording.clock,
        duration=recording.duration,
        agents=len(findings.agents),
        series={**series, 'time': np.asarray(findings.series['time'], float)},
        figures=from_findings(findings),
        moved_at=min((at for at in moved if at is not None), default=None),
        failed_at=min(failed, default=None),
        scenario=recording.scenario,
        problems=findings.problems,
        replay=replay(recording, findings) if findings.agents else None,
    )


def side_from_tables(name: str, folder: Path) -> Side:
    """Return a run with tables but no bag as a side: metrics and summary only.

    Raises:
        RunError: A file cannot be read, or the run has no samples of its metrics.
    """
    run = read_run(folder)
    series = {key: np.array(values) for key, values in read_samples(folder).items()}
    problems = ['no bag: only its tables and its summary are used', *filter(None, [run.flaw])]
    try:
        scenario = scenario_from_dict(dict(run.scenario), 'run', MANIFEST)
    except ScenarioError as error:
        scenario = None
        problems.append(f'its scenario cannot be used: {error}')
    return Side(
        name=name,
        path=folder,
        clock=SIMULATED,
        duration=float(series['time'][-1]),
        agents=run.scenario['run']['num_agents'],
        series=series,
        figures=from_summary(run.summary) if run.summary else {},
        moved_at=_first_motion(folder / AGENT_CSV),
        failed_at=None,
        scenario=scenario,
        problems=tuple(problems),
    )


def _first_motion(path: Path) -> float | None:
    """Return the time of the first motion in a table [s], None if it has none or is unreadable."""
    rows: dict[str, list[tuple[float, float]]] = defaultdict(list)
    try:
        with path.open(encoding='utf-8', newline='') as file:
            for row in csv.DictReader(file):
                rows[row['node_id']].append((float(row['timestamp']), float(row['velocity_norm'])))
    except (OSError, ValueError, KeyError, TypeError, csv.Error):
        return None
    found = [start_of_motion(*np.array(sorted(one)).T) for one in rows.values()]
    return min((at for at in found if at is not None), default=None)
