"""Columns in the rows of a flight's arrays."""

X, Y, Z, VX, VY, VZ = range(6)
"""Position [m] and velocity [m/s] in map: of bodies, of states, of the known target."""

# bodies: the command [m/s]; rotation to map (x, y, z, w), velocity [m/s] and angular velocity
# [rad/s] in the body frame; age of the measurement [s]
CX, CY, CZ = 6, 7, 8
ATTITUDE, ROTATION_W, FORWARD, LEFT, UP, ANGULAR = 9, 12, 13, 14, 15, 16
ATTITUDE_COLUMNS = 10
POSE_AGE = ATTITUDE + ATTITUDE_COLUMNS
BODY_COLUMNS = POSE_AGE + 1

# the record of the truth: position and velocity, then the attitude as above, then the age [s] of
# what the member measures
TRUE_ATTITUDE, MEASURED_AGE = 6, 6 + ATTITUDE_COLUMNS
TRUTH_COLUMNS = MEASURED_AGE + 1

# measurements on their way: after how many updates they were made; then the body
READ_AT, READ_BODY = 0, 1
READING_COLUMNS = READ_BODY + BODY_COLUMNS

# states: sequence number, number in the memory of states (0: none), time of the measurement [ns];
# then the message of the law
SEQ, NUMBER, MADE_NS = 6, 7, 8

# an agent's data of the target (SEQ 0: nothing yet): RECEIVED_AT: time of reception [s],
# RECEIVED_AGE: age then [s]; number and reception of the last one from the target itself; time
# until which it has looked at what others tell [s], and how many reports it took from them
RECEIVED_AGE, OMEGA_REF, RECEIVED_AT, HEARD_SEQ, HEARD_AT, RELAYED_UNTIL, RELAYED = range(8, 15)
TARGET_MESSAGE_COLUMNS = 15
RELAYED_NUMBER = -1
"""NUMBER of a report that another agent has told."""

# the target's report in an agent's message, after its position and velocity; ages [s]
TOLD_OMEGA, TOLD_REPORT_AGE, TOLD_AHEAD = 6, 7, 8
TOLD_REPORT_COLUMNS = 9

# what an agent knows of another one for ever, after its pose: sequence number, time of reception
# and age then [s], whether there is anything; what a message tells of a silent agent
KNOWN_SEQ, KNOWN_AT, KNOWN_AGE, KNOWN = 6, 7, 8, 9
KNOWN_COLUMNS = 10
TOLD_ID, TOLD_AGE = 6, 7
TOLD_COLUMNS = 8

# what the filter did to a command: code of the reason, who caused it, size of the change [m/s]
WHY, PUSHER, CHANGE = range(3)
FILTER_COLUMNS = 3

# agents: their decision, next state and last command, times of reception and sending, messages
# they missed, their position when they last sent, and whether they hear all others
PRED, SUCC, E_TAU = range(3)
NEXT_SEQ, LAST_CX, LAST_CY, LAST_CZ = range(3, 7)
RECEIVES_SINCE, LAST_RECEIVED, WAS_DOWN, SENDS = range(7, 11)
LOST, GOT = 11, 12
SENT_X, SENT_Y, SENT_Z, SENT_VX, SENT_VY, SENT_VZ, HAS_SENT, LAST_SENT = range(13, 21)
HEARS_ALL = 21
AGENT_COLUMNS = 22

# external members: after position and velocity as last heard the time of that [s] (NaN: never),
# the desired rotation of the ring, and whether the member is external at all
HEARD_TIME, HEARD_OMEGA, IS_EXTERNAL = 6, 7, 8
EXTERNAL_COLUMNS = 9

# health: the record of ``actors.failures``, which begins with whether an agent is broken; whether
# it is out by schedule, draws made, the next one that means failure, and how often it failed
BROKEN = 0
OUT, DRAWN, NEXT_FAIL, LIFE = range(4, 8)
HEALTH_COLUMNS = 8

# a decision: the desired velocity, the neighbours, the spacing error
WANTED_PRED, WANTED_SUCC, WANTED_E_TAU = 3, 4, 5
DECISION_COLUMNS = 6

# the target: motion, token, state to send, the adversary as last received
MOTION_FIRED, HOLDER, SWITCHED, WEIGHT, TARGET_SEQ, NEW_OMEGA = range(6)
ADV_X, ADV_Y, ADV_SEQ, ADV_RECEIVED_AT = range(6, 10)
TARGET_COLUMNS = 10

# data of an agent in a receiver with an order of reception (target, observer)
KEPT_X, KEPT_Y, KEPT_VX, KEPT_VY, KEPT_SEQ, KEPT_AT, KEPT = range(7)
KEPT_COLUMNS = 7

# the adversary: goal, the target's position as last received, whether the target was in range of
# its last message
GOAL_X, GOAL_Y, PREY_X, PREY_Y, PREY_SEQ, PREY_RECEIVED_AT, ADVERSARY_SEQ, IN_REACH = range(8)
ADVERSARY_COLUMNS = 8

# counters
TICK, BROADCAST_DUE, SHARED, RING, OLDEST, SENDERS, SAMPLES, EVENTS = range(8)
TARGET_KEEPS, OBSERVER_KEEPS, ON_RING, UPDATES, UNIFORM_FOR = 8, 9, 10, 11, 12
FAULTY = 13
"""Number of the first agent whose law failed, negative if its estimator did, 0 for none."""

OUTSIDE, NOT_WITHIN_LIMITS, NOT_FINITE = 14, 15, 16
"""Positions outside the fence or the heights; commands beyond the limits, and not finite."""

COMMON_SINCE = 17
"""The earliest of ``CommonBodies.came``."""

SILENT = 18
"""How many agents are silent to all that were up when they last sent."""

DUE = 19
"""When the states were sent that arrive now, of links without jitter; 0: none do."""

ALIKE = 20
"""Whether every agent receives the same states at this tick, its own aside."""

COUNTERS = 21

# running figures
SWITCHES, UPTIME = range(2)
SEPARATION, NEAREST_AT, NEARER, FURTHER = range(2, 6)
"""The smallest distance of two agents [m], its time [s], and their indices."""

FIGURES = 6

# return statuses of a flight
DONE, FULL, PER_LINK, REJOINED, BROKEN_LAW = range(5)
