"""Tables that a spreadsheet has exported: a line of names, and then one row a line.

The line of names tells the separator: tab, semicolon or comma. Where it is no comma, numbers may
have a decimal comma.
"""

import codecs
import csv
import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.user_errors import MobilityError, join_with_and, shown, suggestion

SAVE_AS = 'save the sheet as CSV UTF-8, separated by commas, with numbers such as 1234.5'

SEPARATORS = '\t;,'
"""The first of them in the line of names counts: with a decimal comma there is another one."""

WITH_UNIT = re.compile(r'(.*?)\s*[\[(](.*)[\])]')
NUMBER = re.compile(r'[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?', re.ASCII | re.IGNORECASE)


class TableError(MobilityError):
    """A table cannot be read; the message is one line that names file and place."""


class Row(NamedTuple):
    """A row of a table.

    Attributes:
        cells: Texts by column.
        where: File and line, for errors.
        mark: What stands before decimals, besides a point.
    """

    cells: dict[str, str]
    where: str
    mark: str = '.'


def decoded(data: bytes) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with a byte order mark.

    Raises:
        UnicodeDecodeError: It is none.
    """
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode('utf-16' if is_wide else 'utf-8-sig')


def table_rows(
    text: str, source: str, units: Mapping[str, str], optional: Sequence[str] = ()
) -> list[Row]:
    """Return the rows of a table.

    Args:
        text: The text: a line of names, in any order, perhaps with their units, ``x [m]``, and
            then one row a line. Empty lines, and lines that begin with ``# ``, are skipped.
        source: Name of the file, for errors.
        units: Unit by column, empty for a text.
        optional: The columns that may be missing.

    Raises:
        TableError: A column is unknown, missing, given twice or in another unit, or a line has
            another number of values.
    """
    lines = [
        (f'{source}: line {number}', line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip(f'{SEPARATORS} "') and not line.startswith('# ')
    ]
    if not lines:
        wanted = ','.join(units)
        raise TableError(f'{source}: empty; write a line {wanted} and then one row a line')
    (where, header), *lines = lines
    separator = next((character for character in SEPARATORS if character in header), ',')
    names = [_name(cell, source, units) for cell in _cells(header, separator, where)]
    for name in names:
        if names.count(name) > 1:
            raise TableError(f'{source}: column {name!r} is given twice; remove one')
    missing = [name for name in units if name not in (*names, *optional)]
    if missing:
        needed = join_with_and([name for name in units if name not in optional])
        raise TableError(f'{source}: no column {missing[0]!r}; the columns {needed} are needed')
    rows = []
    for where, line in lines:
        values = _cells(line, separator, where)
        if len(values) != len(names):
            raise TableError(f'{where}: {len(values)} values, must be {len(names)}; {SAVE_AS}')
        mark = '.' if separator == ',' else ','
        rows.append(Row(dict(zip(names, values, strict=True)), where, mark))
    return rows


def number(row: Row, name: str) -> float:
    """Return a number of a row.

    Raises:
        TableError: There is no number in this column, or no finite one.
    """
    text = row.cells.get(name, '')
    plain = text.replace(row.mark, '.')
    value = float(plain) if NUMBER.fullmatch(plain) else math.inf
    if not math.isfinite(value):
        raise TableError(f'{row.where}: {name} = {shown(text)} must be a finite number; {SAVE_AS}')
    return value


def _cells(line: str, separator: str, where: str) -> list[str]:
    try:
        (cells,) = csv.reader([line], delimiter=separator)
    except csv.Error as error:
        raise TableError(f'{where}: {error}') from None
    return [cell.strip() for cell in cells]


def _name(cell: str, source: str, units: Mapping[str, str]) -> str:
    split = WITH_UNIT.fullmatch(cell)
    name, unit = split.groups() if split else (cell, None)
    name = name.lower()
    if name not in units:
        hint = suggestion(name, units, 'columns are')
        raise TableError(f'{source}: unknown column {shown(cell)}{hint}')
    if unit is not None and unit.strip() != units[name]:
        raise TableError(f'{source}: column {shown(cell)} must be in {units[name] or "words"}')
    return name
