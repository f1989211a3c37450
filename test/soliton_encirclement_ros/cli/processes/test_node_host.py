"""A process that hosts some nodes of a saved plan."""

import os
import signal
import sys

import pytest
from soliton_encirclement_ros.cli.processes import node_host
from soliton_encirclement_ros.core.scenario.plan_file import save_plan
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec, vehicle_spec
from support.cli import Process, processes_that_mention, wait_until


def host(tmp_path, domain, runner, specs, *of_ros):
    save_plan(tmp_path / 'plan.json', specs)
    command = (
        sys.executable,
        '-m',
        'soliton_encirclement_ros.cli.processes.node_host',
        str(runner),
    )
    numbers = map(str, range(len(specs)))
    words = (*command, str(tmp_path / 'plan.json'), *numbers, *of_ros)
    return Process(words, domain, tmp_path)


STUCK_HOST = """
import ctypes, pathlib, sys
from soliton_encirclement_ros.cli.processes import node_host

def stuck(plan):
    pathlib.Path('begun').touch()
    ctypes.PyDLL(None).sleep(600)  # holds the interpreter lock, as the middleware does

node_host.make_nodes = stuck
node_host.main(sys.argv[1:])
"""

RUNNER = """
import os, subprocess, sys
subprocess.run([sys.executable, '-c', sys.argv[1], str(os.getpid()), *sys.argv[2:]])
"""

BODIES = [vehicle_spec(Scenario(), k) for k in (1, 2)]


@pytest.mark.ros
def test_it_runs_its_nodes_and_ends_in_order_when_asked(ros, tmp_path):
    expected = {('mobility_node', '/uav_1'), ('mobility_node', '/uav_2')}
    with host(tmp_path, ros.domain, os.getpid(), BODIES) as process:
        ros.until(
            lambda: expected <= set(ros.tester.get_node_names_and_namespaces()), 'both nodes'
        )
        process.interrupt()
        assert process.end() in (0, 130)
        assert 'Traceback' not in process.err


@pytest.mark.ros
def test_arguments_of_ros_are_for_all_nodes_and_no_namespace_moves_them(ros, tmp_path):
    placed = [spec._replace(namespace=f'/fleet/{spec.namespace}') for spec in BODIES]
    given = ('--ros-args', '-r', '__ns:=/elsewhere', '-p', 'enable_stamped_cmd_vel:=true')
    expected = {('mobility_node', '/fleet/uav_1'), ('mobility_node', '/fleet/uav_2')}

    def types(k):
        found = ros.tester.get_subscriptions_info_by_topic(f'/fleet/uav_{k}/cmd_vel')
        return [info.topic_type for info in found]

    with host(tmp_path, ros.domain, os.getpid(), placed, *given):
        ros.until(
            lambda: expected <= set(ros.tester.get_node_names_and_namespaces()), 'both nodes'
        )
        stamped = [['geometry_msgs/msg/TwistStamped']] * 2
        ros.until(lambda: [types(1), types(2)] == stamped, 'stamped commands')


@pytest.mark.ros
def test_it_does_not_watch_a_process_if_told_so(ros, tmp_path):
    with host(tmp_path, ros.domain, 0, BODIES[:1]):
        ros.until(
            lambda: ('mobility_node', '/uav_1') in ros.tester.get_node_names_and_namespaces(),
            'the node',
        )


@pytest.mark.ros
@pytest.mark.parametrize(
    ('words', 'line'),
    [
        ([], 'no arguments: not a process id, a plan.json of a run and numbers of its nodes'),
        (['1', 'nope.json', '0'], 'nope.json: No such file or directory'),
        (['1', 'plan.json', '2'], '1 plan.json 2: not a process id'),
        (['1', 'broken.json', '0'], '1 broken.json 0: not a process id'),
    ],
)
def test_wrong_arguments_are_one_line_and_2(tmp_path, monkeypatch, capsys, words, line):
    monkeypatch.chdir(tmp_path)
    save_plan(tmp_path / 'plan.json', BODIES)
    (tmp_path / 'broken.json').write_text('{', encoding='utf-8')
    assert node_host.main(words) == 2
    error = capsys.readouterr().err
    assert error.startswith(f'error: {line}') and error.count('\n') == 1
    assert error.endswith('; usage: node_host RUNNER PLAN.json NUMBER...\n')


@pytest.mark.ros
def test_it_ends_by_itself_when_its_runner_is_not_its_parent(domain, tmp_path):
    with host(tmp_path, domain, 1, BODIES) as process:
        assert process.end() == 0


@pytest.mark.ros
def test_a_node_that_cannot_start_ends_it_with_2_and_one_line(domain, tmp_path):
    specs = [*BODIES, NodeSpec('mobility_node', '/uav_3', {'tau_xy': -1.0})]
    with host(tmp_path, domain, os.getpid(), specs) as process:
        assert process.end() == 2
        errors = [line for line in process.err.splitlines() if line.startswith('error: ')]
        assert errors == ['error: /uav_3/mobility_node: tau_xy = -1.0 must be above 0 s']
        assert 'Traceback' not in process.err


@pytest.mark.ros
def test_it_ends_with_its_runner_also_while_the_middleware_does_not_let_go(domain, tmp_path):
    save_plan(tmp_path / 'plan.json', BODIES)
    plan = str(tmp_path / 'plan.json')
    with Process(
        (sys.executable, '-c', RUNNER, STUCK_HOST, plan, '0'), domain, tmp_path
    ) as runner:
        wait_until((tmp_path / 'begun').exists, 'the host to get stuck')
        runner.popen.kill()
        runner.end()
    try:
        wait_until(lambda: not processes_that_mention(plan), 'the host to end')
    finally:
        for pid in processes_that_mention(plan):
            os.kill(pid, signal.SIGKILL)
