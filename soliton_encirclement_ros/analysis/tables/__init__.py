"""Writes a recording as CSV or Parquet tables: agents, target, commands, metrics, events."""

from collections.abc import Iterator
from pathlib import Path

from soliton_encirclement_ros.analysis.findings import Findings
from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.analysis.tables.bodies import (
    agents_table,
    commands_table,
    target_table,
)
from soliton_encirclement_ros.analysis.tables.metrics_and_events import events_table, metrics_table
from soliton_encirclement_ros.analysis.tables.table import Column, Table
from soliton_encirclement_ros.analysis.tables.writing import FORMATS, write_table, write_units

__all__ = ['FORMATS', 'Column', 'Table', 'tables_of', 'write_tables']

FOLDER = 'tables'


def tables_of(recording: Recording, findings: Findings) -> tuple[Table, ...]:
    """Return all tables of a recording.

    Args:
        recording: The recording.
        findings: Its findings.
    """
    return (
        agents_table(recording, findings),
        target_table(recording, findings),
        commands_table(recording, findings),
        metrics_table(findings),
        events_table(findings),
    )


def write_tables(
    folder: Path, form: str, recording: Recording, findings: Findings
) -> Iterator[Path]:
    """Write all tables into ``folder/tables``, one at a time, then the meaning of their columns.

    Args:
        folder: Folder of the report.
        form: A name of ``FORMATS``.
        recording: The recording.
        findings: Its findings.

    Raises:
        RunError: There is no such format, or a file cannot be written.
    """
    tables = tables_of(recording, findings)
    for table in tables:
        yield write_table(folder / FOLDER, form, table)
    yield write_units(folder / FOLDER, tables)
