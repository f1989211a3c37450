"""Outcomes of a step as whole numbers, for compiled code, and their names and texts."""

MOVED = 0
FINISHED = 1

STATE_POSITION = 10
STATE_ACCELERATION = 11
STATE_ANGULAR_ACCELERATION = 12
STATE_SPEED = 13
STATE_ANGULAR_VELOCITY = 14
TOO_FEW_VERTICES = 20
VERTEX_BEHIND = 21
VERTEX_AHEAD = 22
VERTEX_ANY = 23
LIMIT_MAXIMUM = 30
LIMIT_MINIMUM = 31
ARRIVAL_TIME_MISSED = 40
VELOCITY = 50
DESIRED_ACCELERATION = 60
DESIRED_SPEED = 61
DESIRED_VELOCITY = 62
FOLLOW_MODE_UNSUPPORTED = 70
CONTRADICTORY_LIMITS = 80
INCORRECT_LIMITS = 81
NO_TIME_TO_ZERO_ACCELERATION = 82
NO_ACCELERATION_FOUND = 83
PREDICTED_DISTANCE_TOO_FAR = 84
SPEED_NOT_ZERO_IN_PENULTIMATE_STEP = 85
TIME_NOT_ROUNDABLE = 86
IMMOBILE_SHORT_OF_FINAL = 90
TIMED_WAYPOINT_NOT_REACHED = 91
ENDLESS_ADVANCE = 92
TIMES_NOT_INCREASING = 100
NOT_A_LIMIT = 101
NOT_A_STEP = 102
CLOSED_TOO_SHORT = 103
NO_TRAJECTORY = 110
TIME_UNKNOWN = 111
NOT_A_POLYLINE = 112
NOT_A_REPLAY = 113
VERTEX_TIME = 114
CLOSED_WITHOUT_BASE = 115
NOT_A_SPEED = 116

NAMES = {
    STATE_POSITION: 'NON_FINITE_STATE',
    STATE_ACCELERATION: 'NON_FINITE_STATE',
    STATE_ANGULAR_ACCELERATION: 'NON_FINITE_STATE',
    STATE_SPEED: 'NON_FINITE_STATE',
    STATE_ANGULAR_VELOCITY: 'NON_FINITE_STATE',
    TOO_FEW_VERTICES: 'TOO_FEW_VERTICES',
    VERTEX_BEHIND: 'NON_FINITE_VERTEX',
    VERTEX_AHEAD: 'NON_FINITE_VERTEX',
    VERTEX_ANY: 'NON_FINITE_VERTEX',
    LIMIT_MAXIMUM: 'NON_FINITE_ACCELERATION_LIMIT',
    LIMIT_MINIMUM: 'NON_FINITE_ACCELERATION_LIMIT',
    ARRIVAL_TIME_MISSED: 'ARRIVAL_TIME_MISSED',
    VELOCITY: 'NON_FINITE_VELOCITY',
    DESIRED_ACCELERATION: 'NON_FINITE_DESIRED',
    DESIRED_SPEED: 'NON_FINITE_DESIRED',
    DESIRED_VELOCITY: 'NON_FINITE_DESIRED',
    FOLLOW_MODE_UNSUPPORTED: 'FOLLOW_MODE_UNSUPPORTED',
    CONTRADICTORY_LIMITS: 'CONTRADICTORY_LIMITS',
    INCORRECT_LIMITS: 'INCORRECT_LIMITS',
    NO_TIME_TO_ZERO_ACCELERATION: 'NO_TIME_TO_ZERO_ACCELERATION',
    NO_ACCELERATION_FOUND: 'NO_ACCELERATION_FOUND',
    PREDICTED_DISTANCE_TOO_FAR: 'PREDICTED_DISTANCE_TOO_FAR',
    SPEED_NOT_ZERO_IN_PENULTIMATE_STEP: 'SPEED_NOT_ZERO_IN_PENULTIMATE_STEP',
    TIME_NOT_ROUNDABLE: 'TIME_NOT_ROUNDABLE',
    IMMOBILE_SHORT_OF_FINAL: 'IMMOBILE_SHORT_OF_FINAL',
    TIMED_WAYPOINT_NOT_REACHED: 'TIMED_WAYPOINT_NOT_REACHED',
    ENDLESS_ADVANCE: 'ENDLESS_ADVANCE',
    TIMES_NOT_INCREASING: 'TIMES_NOT_INCREASING',
    NOT_A_LIMIT: 'INVALID_LIMIT',
    NOT_A_STEP: 'INVALID_STEP',
    CLOSED_TOO_SHORT: 'CLOSED_TOO_SHORT',
    NO_TRAJECTORY: 'NO_TRAJECTORY',
    TIME_UNKNOWN: 'TIME_UNKNOWN',
    NOT_A_POLYLINE: 'NOT_A_POLYLINE',
    NOT_A_REPLAY: 'NOT_A_REPLAY',
    VERTEX_TIME: 'NON_FINITE_VERTEX',
    CLOSED_WITHOUT_BASE: 'CLOSED_WITHOUT_BASE',
    NOT_A_SPEED: 'INVALID_LIMIT',
}
"""Names of the errors; several codes may share one, with a text each."""

TEXTS = {
    STATE_POSITION: 'the position is not finite',
    STATE_ACCELERATION: 'the acceleration is not finite',
    STATE_ANGULAR_ACCELERATION: 'the angular acceleration is not finite',
    STATE_SPEED: 'the speed is not finite',
    STATE_ANGULAR_VELOCITY: 'the angular velocity is not finite',
    TOO_FEW_VERTICES: 'a polyline needs 2 vertices, the previous one and the next',
    VERTEX_BEHIND: 'the position of the previous vertex is not finite',
    VERTEX_AHEAD: 'the position of the next vertex is not finite',
    VERTEX_ANY: 'its position must be finite and at most 1e+09 m',
    LIMIT_MAXIMUM: 'the largest acceleration of this step is not finite',
    LIMIT_MINIMUM: 'the smallest acceleration of this step is not finite',
    ARRIVAL_TIME_MISSED: 'the arrival time has passed',
    VELOCITY: 'the velocity to move with is not finite',
    DESIRED_ACCELERATION: 'the chosen acceleration is not finite',
    DESIRED_SPEED: 'the chosen speed is not finite',
    DESIRED_VELOCITY: 'the chosen velocity is not finite',
    FOLLOW_MODE_UNSUPPORTED: 'only following by position is implemented',
    CONTRADICTORY_LIMITS: 'the smallest acceleration exceeds the largest one',
    INCORRECT_LIMITS: 'the limits of acceleration lead to a speed out of range',
    NO_TIME_TO_ZERO_ACCELERATION: 'no time to bring the acceleration to zero',
    NO_ACCELERATION_FOUND: 'no acceleration leads to the vertex',
    PREDICTED_DISTANCE_TOO_FAR: 'the vertex is too far for its arrival time',
    SPEED_NOT_ZERO_IN_PENULTIMATE_STEP: 'too fast to stop in the last step',
    TIME_NOT_ROUNDABLE: 'a time is not finite or too large',
    IMMOBILE_SHORT_OF_FINAL: 'stopped too far from the last vertex',
    TIMED_WAYPOINT_NOT_REACHED: 'the arrival time is reached, the vertex is not',
    ENDLESS_ADVANCE: 'all vertices are at one place, passed in one step',
    TIMES_NOT_INCREASING: 'its time must be after that of the timed vertex before',
    NOT_A_LIMIT: 'every limit must be finite and above 0',
    NOT_A_STEP: 'the step must be finite and above 0 s',
    CLOSED_TOO_SHORT: 'a closed polyline needs 3 vertices',
    NO_TRAJECTORY: 'there is no polyline to follow',
    TIME_UNKNOWN: 'the time of the body is not finite',
    NOT_A_POLYLINE: 'vertices must be rows of x, y, z, time',
    NOT_A_REPLAY: 'a replay needs 2 vertices, all of them timed',
    VERTEX_TIME: 'its time must be finite, or missing',
    CLOSED_WITHOUT_BASE: 'times of a closed polyline must count from a base time',
    NOT_A_SPEED: 'the cruise speed must be finite and at least 0 m/s, or missing',
}
"""What is wrong, without the entity and the vertex."""
