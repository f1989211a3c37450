"""Reasons for which the separation filter changes a command, and who caused it, as numbers."""

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
OTHER_ID = -3
"""Ids of target and adversary, and of any vehicle without a number, which is known by its odometry
alone; agents have their number, from 1 on."""

LEAST_ID = OTHER_ID
"""The smallest id."""
