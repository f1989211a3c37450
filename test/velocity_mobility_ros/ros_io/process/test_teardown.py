"""Nodes are destroyed, and their process ends, also where the middleware does not let go."""

import errno
import os
import subprocess
import sys

import pytest
import rclpy
from rclpy.signals import SignalHandlerOptions

from support.cli import Process
from support.ros import leaving
from velocity_mobility_ros.ros_io.process.teardown import on_one_core, shut_down

pytestmark = pytest.mark.ros

STUCK = """
import ctypes, sys
from rclpy.node import Node
from velocity_mobility_ros.core.environment.unix_process import end_process
from velocity_mobility_ros.ros_io.process.node_process import run_nodes

class Stuck(Node):
    finished = True

    def close(self):
        print('closed')

    def destroy_node(self):
        ctypes.PyDLL(None).sleep(60)  # holds the interpreter lock, as the middleware does

end_process(run_nodes(lambda: [Stuck('stuck')], [], conclude=lambda: print('concluded')))
"""


@pytest.mark.nightly
def test_processes_that_leave_together_all_end(domain):
    rounds = 6
    found = subprocess.run(
        [sys.executable, leaving.__file__, str(rounds)],
        env={**os.environ, 'ROS_DOMAIN_ID': str(domain)},
        capture_output=True, text=True, timeout=110, check=True,
    )  # fmt: skip
    assert found.stdout.strip() == '0'


@pytest.mark.nightly
def test_a_process_that_cannot_destroy_its_nodes_ends_with_its_files_closed(domain, tmp_path):
    with Process((sys.executable, '-c', STUCK), domain, tmp_path) as process:
        assert process.end(30.0) == 1
        assert process.out.split() == ['closed', 'concluded']
        assert 'destroy_node' in process.err


def test_threads_get_their_cores_back():
    before = os.sched_getaffinity(0)
    with on_one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


def test_without_core_affinity_or_open_files_a_process_is_taken_down_all_the_same(monkeypatch):
    def refuse(path):
        raise OSError(errno.EMFILE, 'Too many open files', path)

    before = os.sched_getaffinity(0)
    monkeypatch.setattr(os, 'listdir', refuse)
    with on_one_core():
        assert os.sched_getaffinity(0) == before
    monkeypatch.delattr(os, 'sched_setaffinity')
    with on_one_core():
        assert os.sched_getaffinity(0) == before


def test_ros_goes_down_without_a_word_about_signals(domain, monkeypatch):
    """For an instant SIGINT would have no handler."""
    taken = []
    monkeypatch.setattr(rclpy, 'uninstall_signal_handlers', lambda: taken.append(1))
    rclpy.init(args=[], domain_id=domain, signal_handler_options=SignalHandlerOptions.NO)
    shut_down()
    assert taken == [] and not rclpy.ok()
    shut_down()
