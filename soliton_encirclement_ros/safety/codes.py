"""Reasons of the filter, kinds of other bodies, and the columns of its arrays, as numbers."""

NONE = 0
SEPARATION = 1
KEEP_OUT = 2
FENCE = 3
BAND = 4
LIMITS = 5
RELAXED = 6
STOP = 7

REASONS = ('NONE', 'SEPARATION', 'KEEP_OUT', 'FENCE', 'BAND', 'LIMITS', 'RELAXED', 'STOP')
"""Names of the reasons by their number.

NONE: the wanted command is sent. SEPARATION, KEEP_OUT, FENCE, BAND: the barrier that changed it
most. LIMITS: it was faster than the vehicle. RELAXED: no command restores all distances
that are too small; they are restored more slowly. STOP: command 0, since an input is not finite.
"""

NOBODY = -1
"""In place of an id: no other body pushed."""

TARGET_ID = 0
ADVERSARY_ID = -2
"""Ids of target and adversary; agents have their number, from 1 on."""

X, Y, Z, VX, VY, VZ, AGE, KIND, ID = range(9)
"""Columns of the other bodies: position [m], velocity [m/s], age [s], kind, id."""

COLUMNS = 9

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
