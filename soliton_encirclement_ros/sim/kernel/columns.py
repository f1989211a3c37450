"""What stands where in the rows of a flight's arrays."""

X, Y, Z, VX, VY, VZ = range(6)
"""Position [m] and velocity [m/s] in map: of bodies, of words, of what is known of the target."""

# bodies: the command [m/s]
CX, CY, CZ = 6, 7, 8
BODY_COLUMNS = 9

# words: sequence number, number in the memory of words (0: none), time when said [s], u, its
# curvature, the layer's fields
SEQ, SAID, SAID_AT, U, U_SS, PROP = 6, 7, 8, 9, 10, 11
MOST_PROP = 6
TOLD_U = MOST_PROP
"""Behind the fields of its layer: the u that an agent tells, which a liar may have changed."""

WORD_COLUMNS = PROP + MOST_PROP

# what an agent knows of the target (SEQ 0: nothing yet); HEARD: time when it came [s]
OMEGA_REF, HEARD = 9, 10
TOLD_COLUMNS = 11

# agents
PRED, SUCC, GAP_PRED, GAP_SUCC, LAMBDA_PRED, LAMBDA_SELF, E_TAU, E_EFF = range(8)
NEXT_SEQ, LAST_CX, LAST_CY, LAST_CZ, OWN_U, OWN_U_SS = range(8, 14)
HEARS_SINCE, LAST_HEARD, WAS_DOWN, SPOKE = range(14, 18)
AGENT_COLUMNS = 18

# health
BROKEN, OUT, BACK_AT, CHECKS_SINCE, CHECKED, DRAWN, NEXT_FAIL, LIFE = range(8)
HEALTH_COLUMNS = 8

# the seed's law: SolitonState; the successor's: TwoChannelState, signal, last radius
STATE = 0
SIGNAL, R_LAST = 6, 7

# our law: what the target said before, its acceleration, the turn, the place, the wanted speeds
TRACK_SEQ, TRACK_AT, TRACK_VX, TRACK_VY, ACC_X, ACC_Y = range(6)
OMEGA, RATE, SHIFT, SHIFT_RATE, TARGET_AGE, LOST, GOT = range(6, 13)
WANTED = 13
SAID_X, SAID_Y, SAID_Z, SAID_VX, SAID_VY, SAID_VZ, HAS_SAID, SAID_LAST = range(21, 29)
LAW_COLUMNS = 29

# the target: motion, spin memory, token, command, words to say, the adversary as last heard
MOTION_FIRED, SPIN_A, SPIN_B, SPIN_C, HOLDER, SWITCHED, WEIGHT, TARGET_SEQ = range(8)
NEW_OMEGA, ADV_X, ADV_Y, ADV_SEQ, ADV_HEARD = range(8, 13)
TARGET_COLUMNS = 13

# what a listener with an order of hearing (target, observer) keeps of an agent
KEPT_X, KEPT_Y, KEPT_VX, KEPT_VY, KEPT_SEQ, KEPT_AT, KEPT = range(7)
KEPT_COLUMNS = 7

# the adversary: goal, the target's place as last heard, whether the target was in reach of its
# last words
GOAL_X, GOAL_Y, PREY_X, PREY_Y, PREY_SEQ, PREY_HEARD, ADVERSARY_SEQ, IN_REACH = range(8)
ADVERSARY_COLUMNS = 8

# counters
TICK, ACTED, SHARED, RING, OLDEST, SPEAKERS, SAMPLES, EVENTS = range(8)
TARGET_KEEPS, OBSERVER_KEEPS, ON_RING, UPDATES, CLEAR_FOR = 8, 9, 10, 11, 12
COUNTERS = 13

# running figures
SWITCHES, UPTIME, SEPARATION = range(3)
FIGURES = 3

# statuses of a flight that comes back
DONE, FULL, UNCLEAR, CLEAR = range(4)

FROZEN, OFFSET, SCATTER, NO_NUMBER = range(4)
"""Kinds of lies."""
