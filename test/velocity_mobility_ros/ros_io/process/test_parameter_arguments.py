"""Parameters that differ from their defaults are told, and files that have none for a node."""

import csv
from pathlib import Path

import pytest
from rclpy.parameter import Parameter

from velocity_mobility_ros.core.environment.parameter_files import Changed, add_rows, begin_table
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.process.parameter_sources import changed_parameters

pytestmark = pytest.mark.ros


def test_what_differs_from_the_defaults_is_told(ros, tmp_path):
    """What the run sets is told apart from what a user gives."""
    file = tmp_path / 'own.yaml'
    file.write_text('/**: {ros__parameters: {max_speed_xy: 3.0, max_speed_z: 5.0}}')
    words = ['--ros-args', '--params-file', str(file), '-p', 'max_acc_xy:=2', '-p', 'tau_xy:=none']
    set_by_run = [Parameter('max_acc_z', value=2.5), Parameter('tau_z', value=1.2)]
    node = ros.add(MobilityNode(cli_args=words, parameter_overrides=set_by_run))
    assert changed_parameters(node) == [
        Changed('max_speed_xy', 3.0, 10.0, 'm/s', 'given'),
        Changed('max_acc_xy', 2, 4.0, 'm/s^2', 'given'),
        Changed('max_acc_z', 2.5, 5.0, 'm/s^2', 'run'),
        Changed('tau_xy', None, 1.0, 's', 'given'),
    ]


def test_nodes_add_their_rows_to_the_table_of_a_run(tmp_path):
    """A table that is gone is not begun again."""
    table = tmp_path / 'parameters.csv'
    add_rows('/uav_1/agent', [Changed('k', 1, 2, '', 'launch')], str(table))
    assert not table.exists()
    begin_table(table, [Changed('run.seed', 1, 0, '', 'demo.yaml')])
    add_rows('/uav_1/agent', [Changed('tau_xy', None, 0.5, 's', 'a,b.yaml')], str(table))
    with Path(table).open(newline='') as file:
        assert [*csv.reader(file)] == [
            ['node', 'parameter', 'value', 'default', 'unit', 'origin'],
            ['scenario', 'run.seed', '1', '0', '', 'demo.yaml'],
            ['/uav_1/agent', 'tau_xy', 'none', '0.5', 's', 'a,b.yaml'],
        ]
