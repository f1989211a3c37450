"""What members say of themselves and their true motion."""

from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.run.true_motion import UNKNOWN, truly
from soliton_encirclement_ros.core.states.states import AgentState, Pose

HERE, MOVING = (1.0, 2.0, 3.0), (0.1, 0.2, 0.3)
TRUTH = {'uav_3': Pose((1.5, 2.5, 3.5), (0.0, 0.0, 0.0))}
STATE = AgentState(3, 7, HERE, MOVING, 0.5)
ROW = TelemetryRow(3, 0.05, HERE, MOVING, False, (9.0,))


def test_position_and_velocity_become_true_and_nothing_else():
    for said in (STATE, ROW):
        found = truly(said, 'uav_3', TRUTH)
        assert (found.position, found.velocity) == TRUTH['uav_3']
        assert found._replace(position=HERE, velocity=MOVING) == said


def test_whose_motion_is_not_known_counts_as_it_says():
    assert truly(STATE, 'uav_2', TRUTH) is STATE and truly(STATE, 'uav_3', UNKNOWN) is STATE
