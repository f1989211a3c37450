"""Whether a message package that was built is the one that is wanted: else tests see another."""

import os

from support.interfaces.environment import FOLDER, built_releases
from support.interfaces.packages import Package, packages
from support.interfaces.stamps import is_up_to_date, write_stamp

TINY = Package('tiny_msgs', '', {'msg/Tiny.msg': 'uint8 LARGEST = 7\n'}, ('std_msgs',))


def test_a_changed_package_is_not_up_to_date(tmp_path):
    (tmp_path / 'tiny_msgs').mkdir()
    write_stamp(TINY, tmp_path / 'tiny_msgs')
    assert is_up_to_date(TINY, tmp_path)
    assert not is_up_to_date(TINY._replace(files={'msg/Tiny.msg': '\n'}), tmp_path)


def test_all_that_this_distribution_builds_is_up_to_date():
    distribution = os.environ.get('ROS_DISTRO', 'kilted')
    assert '1.17' in built_releases()
    assert all(is_up_to_date(package, FOLDER) for package in packages(distribution))
