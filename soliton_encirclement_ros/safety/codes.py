"""Reasons of the filter, kinds of other bodies, and the columns of its arrays, as numbers."""

from soliton_encirclement_ros.core.laws.filter_codes import (
    ADVERSARY_ID,
    BAND,
    FENCE,
    KEEP_OUT,
    LIMITS,
    NOBODY,
    NONE,
    REASONS,
    RELAXED,
    SEPARATION,
    STOP,
    TARGET_ID,
)

X, Y, Z, VX, VY, VZ, AGE, KIND, ID = range(9)
"""Columns of the other bodies: position [m], velocity [m/s], age [s], kind, id."""

COLUMNS = 9

SPAN = COLUMNS
"""A further column that rows may have: ``nearest_bodies.span_of`` [m], found once for all."""

EMPTY = 0
MUTUAL = 1
GHOST = 2
STRANGER = 3
TARGET = 4
ADVERSARY = 5
"""Kinds of other bodies.

EMPTY: the row is unused. MUTUAL: an agent that runs this filter, too. GHOST: an agent that fell
silent and has command 0 since (the contract). STRANGER: any other body.
"""

NX, NY, BASE, EXTRA, SOURCE, WHO, KEY, INDEX = range(8)
"""Columns of the scratch rows.

A half-plane ``nx cx + ny cy >= base + extra`` of commands [m/s] with a unit normal, where command
0 reaches ``base``; its reason and the id of its body; key and index of a near body.
"""

NEAREST = 8
"""So many other bodies are looked at; those whose braking paths come nearest."""

FENCE_ROWS = 6
KEEP_OUT_ROWS = 8
SCRATCH_ROWS = 6 * NEAREST + FENCE_ROWS + KEEP_OUT_ROWS
SCRATCH_COLUMNS = 8

__all__ = [
    'ADVERSARY',
    'ADVERSARY_ID',
    'AGE',
    'BAND',
    'BASE',
    'COLUMNS',
    'EMPTY',
    'EXTRA',
    'FENCE',
    'FENCE_ROWS',
    'GHOST',
    'ID',
    'INDEX',
    'KEEP_OUT',
    'KEEP_OUT_ROWS',
    'KEY',
    'KIND',
    'LIMITS',
    'MUTUAL',
    'NEAREST',
    'NOBODY',
    'NONE',
    'NX',
    'NY',
    'REASONS',
    'RELAXED',
    'SCRATCH_COLUMNS',
    'SCRATCH_ROWS',
    'SEPARATION',
    'SOURCE',
    'SPAN',
    'STOP',
    'STRANGER',
    'TARGET',
    'TARGET_ID',
    'VX',
    'VY',
    'VZ',
    'WHO',
    'X',
    'Y',
    'Z',
]
