"""The line about a law that failed over ROS."""

from soliton_encirclement_ros.cli.processes.law_fault_line import law_fault_line

LOG = """[INFO] [1.0] [uav_1.agent]: agent 1: law /tmp/mine.py, ring of 20 m
[ERROR] [3.5] [uav_2.agent]: mine: uav_2 at 1.05 s: ValueError: no; the agent is down
[ERROR] [3.2] [uav_1.agent]: mine: uav_1 at 1.05 s: ValueError: no; the agent is down
[ERROR] [3.1] [uav_3.agent]: target lost
"""


def test_the_first_fault_is_told_with_the_number_of_others(tmp_path):
    (tmp_path / 'log').mkdir()
    (tmp_path / 'log' / 'a.log').write_text(LOG)
    (tmp_path / 'log' / 'b.log').write_text(LOG)  # launch logs the same once more
    line = law_fault_line(tmp_path, '/tmp/mine.py')
    assert line == 'mine: uav_1 at 1.05 s: ValueError: no; the agent is down (and 1 more)'


def test_a_law_that_comes_along_and_one_without_faults_say_nothing(tmp_path):
    (tmp_path / 'log').mkdir()
    (tmp_path / 'log' / 'a.log').write_text(LOG)
    assert law_fault_line(tmp_path, 'soliton') == ''
    assert law_fault_line(tmp_path, '/tmp/other.py') == ''
