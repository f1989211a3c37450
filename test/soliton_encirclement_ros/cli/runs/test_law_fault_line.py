"""The line about a law that failed over ROS."""

from soliton_encirclement_ros.cli.runs.run_verb import law_fault_line
from soliton_encirclement_ros.core.laws.law_fault import UNTIL_RECOVERED

LOG = f"""[INFO] [1.0] [uav_1.agent]: agent 1: law /tmp/mine.py, ring of 20 m
[ERROR] [3.5] [uav_2.agent]: mine: uav_2 at 1.05 s: ValueError: no; {UNTIL_RECOVERED}
[ERROR] [3.2] [uav_1.agent]: mine: uav_1 at 1.05 s: ValueError: no; {UNTIL_RECOVERED}
[ERROR] [3.1] [uav_3.agent]: target lost
"""


def test_the_first_fault_is_told_with_the_number_of_others(tmp_path):
    (tmp_path / 'log').mkdir()
    (tmp_path / 'log' / 'a.log').write_text(LOG)
    (tmp_path / 'log' / 'b.log').write_text(LOG)  # launch logs the same once more
    line = law_fault_line(tmp_path)
    assert line == f'mine: uav_1 at 1.05 s: ValueError: no; {UNTIL_RECOVERED} (and 1 more)'


def test_logs_without_faults_say_nothing(tmp_path):
    (tmp_path / 'log').mkdir()
    (tmp_path / 'log' / 'a.log').write_text('[ERROR] [3.1] [uav_3.agent]: target lost\n')
    assert law_fault_line(tmp_path) == ''
