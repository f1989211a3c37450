"""The table of a run's parameters that differ from their defaults: each node adds its rows."""

import csv
import io
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

TABLE = 'SWARM_PARAMETER_TABLE'
"""Environment variable with the path of the table, for the nodes that a run starts."""


class Changed(NamedTuple):
    """A parameter that is not at its default, or that was given in vain.

    Attributes:
        parameter: Its name.
        value: The value in force.
        default: The default; empty if there is none.
        unit: The unit of both.
        origin: Where the value comes from.
    """

    parameter: str
    value: Any
    default: Any
    unit: str
    origin: str


def begin_table(path: Path, scenario: Iterable[Changed]) -> None:
    """Write the header, and the rows of what all nodes share."""
    rows = [('node', *Changed._fields), *(('scenario', *one) for one in scenario)]
    path.write_text(_text(rows), encoding='utf-8')


def add_rows(node: str, changed: Iterable[Changed], table: str) -> None:
    """Add the rows of a node to a table in one piece: others add theirs at the same time.

    Args:
        node: Full name of the node.
        changed: What it tells.
        table: Path of the table; nothing is written where there is none.
    """
    text = _text((node, *one) for one in changed)
    if text and os.path.isfile(table):
        with open(table, 'ab', buffering=0) as file:
            file.write(text.encode())


def _text(rows: Iterable[Iterable[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator='\n').writerows(
        ['none' if cell is None else cell for cell in row] for row in rows
    )
    return text.getvalue()
