"""Tables that a spreadsheet has exported: text with separators, in the ways of several countries.

The line of names tells the separator: tab, semicolon or comma. Numbers have a decimal point or a
decimal comma; where 1,234 may be 1.234 or 1234, the table is refused. Nothing is guessed.
"""

import codecs
import csv
import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.user_errors import MobilityError, closest, shown

SAVE_AS = 'save the sheet as CSV UTF-8, separated by commas, with numbers such as 1234.5'

SEPARATORS = '\t;,'
"""The first of them in the line of names counts: with a decimal comma there is another one."""

TOLD_SEPARATOR = re.compile(r'sep=(.)', re.IGNORECASE)
"""First line of some files of Excel."""

MINUS = '\N{MINUS SIGN}'
"""What some programs write before negative numbers."""

WITH_UNIT = re.compile(r'(.*?)\s*[\[(](.*)[\])]')
NUMBER = re.compile(r'[-+]?(\d+[.,]?\d*|[.,]\d+)(e[-+]?\d+)?', re.ASCII | re.IGNORECASE)
MARKED = re.compile(r'[-+.,\de]+', re.ASCII | re.IGNORECASE)
"""What may be a number, with decimals or thousands; any other is refused in its own line."""

GROUPED = re.compile(r'[-+]?[1-9]\d{0,2}[.,]\d{3}', re.ASCII)
"""A number whose mark may stand before decimals or between thousands."""

FAULT = re.compile(r'#([^\W\d_]+(/0)?[!?]|N/A|N/D|NV)\s*([\t;,"]|$)')
"""What a spreadsheet writes for a value that it cannot compute, as the first one of a line."""

DEGREES = re.compile(r'lat|lon|lng')


class TableError(MobilityError):
    """A table cannot be read; the message is one line that names file and place."""


class Row(NamedTuple):
    """A row of a table.

    Attributes:
        cells: Texts by column.
        where: File and line, for errors.
        mark: What stands before decimals: a point or a comma.
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
            then one row a line. Lines and columns that are empty, and lines that begin with
            ``#``, are skipped; not those that begin with the fault of a formula, ``#DIV/0!``.
        source: Name of the file, for errors.
        units: Unit by column, empty for a text.
        optional: The columns that may be missing.

    Raises:
        TableError: A column is unknown, missing, given twice or in another unit, a line has
            another number of values, or the decimals cannot be told from thousands.
    """
    lines = [
        (f'{source}: line {number}', line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and (not line.lstrip().startswith('#') or FAULT.match(line.lstrip()))
    ]
    told = TOLD_SEPARATOR.fullmatch(lines[0][1].strip()) if lines else None
    lines = lines[1:] if told else lines
    if not lines:
        names = ','.join(units)
        raise TableError(f'{source}: empty; write a line {names} and then one row a line')
    (where, header), *lines = lines
    separator = told[1] if told else next((one for one in SEPARATORS if one in header), ',')
    names = _names(_cells(header, separator, where), where, source, units)
    missing = [name for name in units if name not in (*names, *optional)]
    if missing:
        needed = _listed([name for name in units if name not in optional])
        raise TableError(f'{source}: no column {missing[0]!r}; the columns {needed} are needed')
    rows = [
        Row(dict(zip(names, _values(line, separator, len(names), where), strict=True)), where)
        for where, line in lines
        if line.strip(f'{separator} "')
    ]
    mark = _decimal_mark(rows, [name for name in names if units[name]], separator)
    return [row._replace(mark=mark) for row in rows]


def number(row: Row, name: str) -> float:
    """Return a number of a row.

    Raises:
        TableError: There is no number in this column, or no finite one.
    """
    text = row.cells.get(name, '')
    value = float(text.replace(row.mark, '.')) if NUMBER.fullmatch(text) else math.inf
    if not math.isfinite(value):
        hint = f'; {SAVE_AS}' if re.search(r'\d', text) else ''
        raise TableError(f'{row.where}: {name} = {shown(text)} must be a finite number{hint}')
    return value


def _cells(line: str, separator: str, where: str) -> list[str]:
    try:
        (cells,) = csv.reader([line], delimiter=separator)
    except csv.Error as error:
        raise TableError(f'{where}: {error}') from None
    return [cell.strip().replace(MINUS, '-') for cell in cells]


def _names(
    header: Sequence[str], where: str, source: str, units: Mapping[str, str]
) -> list[str]:
    """Return the names of the columns; those at the end that have none are left out."""
    while header and not header[-1]:
        header = header[:-1]
    if all(NUMBER.fullmatch(cell) for cell in header):
        raise TableError(f'{where}: no names of columns; write them above it: {_listed([*units])}')
    names = [_name(cell, source, units) for cell in header]
    for name in names:
        if names.count(name) > 1:
            raise TableError(f'{source}: column {name!r} is given twice; remove one')
    return names


def _name(cell: str, source: str, units: Mapping[str, str]) -> str:
    split = WITH_UNIT.fullmatch(cell)
    name, unit = split.groups() if split else (cell, None)
    name = name.lower()
    if name not in units:
        close = closest(name, units)
        hint = f'did you mean {close!r}?' if close else f'columns are {_listed([*units])}'
        if DEGREES.match(name):
            hint += '; degrees are not read, give m from the origin'
        raise TableError(f'{source}: unknown column {shown(cell)}; {hint}')
    if unit is not None and unit.strip() != units[name]:
        raise TableError(f'{source}: column {shown(cell)} must be in {units[name] or "words"}')
    return name


def _values(line: str, separator: str, count: int, where: str) -> list[str]:
    """Return the values of a line; empty ones at its end, beyond the columns, are left out."""
    values = _cells(line, separator, where)
    while len(values) > count and not values[-1]:
        values.pop()
    if len(values) != count:
        is_odd = len(values) > count or any(one in line for one in SEPARATORS if one != separator)
        hint = f'; {SAVE_AS}' if is_odd else ''
        raise TableError(f'{where}: {len(values)} values, must be {count}{hint}')
    return values


def _decimal_mark(rows: Sequence[Row], names: Sequence[str], separator: str) -> str:
    """Return what stands before the decimals: a comma, or a point.

    Raises:
        TableError: Both occur, or what occurs may as well stand between thousands.
    """
    cells = [
        (row.cells[name], name, row.where)
        for row in rows
        for name in names
        if MARKED.fullmatch(row.cells[name])
    ]
    commas = [cell for cell in cells if ',' in cell[0]]
    points = [cell for cell in cells if '.' in cell[0]]
    if not commas and (separator == ',' or not points):
        return '.'
    both = [cell for cell in commas if '.' in cell[0]]
    open_ones = [cell for cell in (*commas, *points) if GROUPED.fullmatch(cell[0])]
    if (commas and points) or open_ones == (commas or points):
        text, name, where = [*both, *open_ones, *commas][0]
        raise TableError(f'{where}: {name} = {shown(text)}: decimals or thousands? {SAVE_AS}')
    return ',' if commas else '.'


def _listed(names: Sequence[str]) -> str:
    return f'{", ".join(names[:-1])} and {names[-1]}'
