"""The lockstep run: repeatable to the last bit, deaf to strangers, patient with the dead."""

import itertools
import math
import random
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import TwistStamped
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions, save_plan
from support.cli import Process
from support.recorded.run_folder import read_json, read_table
from support.ros.bodies import agent, said, values
from support.ros.graph import Heard, Ros
from support.ros.malformed import stamped_commands, states
from support.ros.sent_messages import command_to_stamped
from support.ros.swarm import Swarm, fly, fly_without_ros, scenario, take_down
from velocity_mobility_ros.ros_io.endpoints import COMMAND, LOCKSTEP
from velocity_mobility_ros.ros_io.node_time import ns_to_time

pytestmark = pytest.mark.ros

TABLES = ('agent_telemetry.csv', 'target_telemetry.csv')


def tables(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in TABLES]


def fly_and_read(ros: Ros, folder: Path, **changes: dict[str, object]) -> list[bytes]:
    swarm = fly(ros, scenario(**changes), folder)
    take_down(ros, swarm.nodes.values())
    return tables(folder)


@pytest.fixture(scope='module')
def undisturbed(domain: int, tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Return both tables of the scenario, flown once in peace."""
    ros = Ros(domain)
    try:
        return fly_and_read(ros, tmp_path_factory.mktemp('undisturbed'))
    finally:
        ros.close()


def test_the_same_seed_gives_the_same_tables_byte_for_byte_and_another_one_others(
    ros, tmp_path, undisturbed
):
    assert fly_and_read(ros, tmp_path / 'same') == undisturbed
    agents, target = fly_and_read(ros, tmp_path / 'other', run={'seed': 4})
    assert agents != undisturbed[0]
    assert target != undisturbed[1]


def test_everything_answers_once_per_tick(ros, tmp_path):
    flown = scenario(run={'sim_duration': 1.0})
    swarm = Swarm(ros, flown, PlanOptions(True, str(tmp_path), record=False))
    spoken = ros.listen(JointState, '/swarm/agent_states', LOCKSTEP)
    commanded = ros.listen(TwistStamped, '/uav_2/cmd_vel', LOCKSTEP)
    swarm.fly()
    ticks = [k * 50_000_000 for k in range(1, 21)]
    assert stamps(commanded) == ticks
    assert sorted(stamps(spoken)) == sorted(ticks * 4)


def stamps(heard: Heard) -> list[int]:
    found = (m.header.stamp.sec * 1_000_000_000 + m.header.stamp.nanosec for m in heard)
    return [stamp for stamp in found if stamp != 0]


@pytest.mark.usefixtures('simulated')
def test_answers_for_another_tick_are_never_used(ros, tmp_path, undisturbed):
    """Neither commands nor states, which everybody hears."""
    swarm = Swarm(ros, scenario(), PlanOptions(True, str(tmp_path), record=False))
    commander = ros.voice(TwistStamped, '/uav_1/cmd_vel', LOCKSTEP)
    speaker = ros.voice(JointState, '/swarm/agent_states', LOCKSTEP, readers=2)
    world, turns = swarm['world'], itertools.count()
    shifts = itertools.cycle((-100_000_000, -50_000_000, -1, 1, 10_000_000_000, 10**18))

    def shout() -> bool:
        if world.world.tick > 1 and next(turns) % 10 == 0:
            stamp_ns = world.world.time_ns + next(shifts)
            commander.publish(command_to_stamped((9.0, -9.0, 4.0), 1.0, stamp_ns))
            speaker.publish(said(stamp_ns, agent(1, 10**6, (1.0, 2.0, 0.0), u=0.1)))
        return world.finished

    ros.until(shout, 'the end of the flight')
    swarm.fly()
    assert tables(tmp_path) == undisturbed


@pytest.mark.usefixtures('simulated')
def test_nothing_moves_in_the_handshake(ros, tmp_path, undisturbed):
    options = PlanOptions(True, str(tmp_path), record=False)
    swarm = Swarm(ros, scenario(), options, leave_out=('uav_4',))
    rogue = ros.voice(TwistStamped, '/uav_1/cmd_vel', LOCKSTEP)
    ros.meanwhile(
        1.0, lambda: rogue.publish(command_to_stamped((9.0, -9.0, 4.0), 1.0, 0))
    )
    assert swarm['world'].world.tick == 0
    swarm.add('uav_4')
    swarm.fly()
    assert tables(tmp_path) == undisturbed


@pytest.mark.usefixtures('simulated')
def test_a_flight_beside_rogue_publishers_comes_to_its_end(ros, tmp_path):
    flown = scenario(run={'sim_duration': 6.0})
    swarm = Swarm(ros, flown, PlanOptions(True, str(tmp_path), record=True))
    draw = random.Random(7)
    rogues = [
        (ros.voice(JointState, '/swarm/agent_states', LOCKSTEP), states(draw)),
        (ros.voice(TwistStamped, '/uav_1/cmd_vel', LOCKSTEP), stamped_commands(draw)),
    ]
    world, turns = swarm['world'], itertools.count()

    def shout() -> bool:
        if next(turns) % 10 == 0:
            shift = draw.choice((0, 0, 1, -50_000_000, 50_000_000))
            for publisher, messages in rogues:
                message = next(messages)
                message.header.stamp = ns_to_time(world.world.time_ns + shift)
                publisher.publish(message)
        for body in world.world.bodies.values():
            vx, vy, vz = body.motion.velocity
            assert vx**2 + vy**2 <= 10.0**2 * (1 + 1e-12) and abs(vz) <= 5.0
        return world.finished

    ros.until(shout, 'the end of the flight')
    assert world.world.tick >= flown.ticks
    assert world.drive.health.refused['/swarm/agent_states'] > 0


def warnings_of(heard: Heard) -> list[str]:
    said = [s for m in heard for s in m.status if s.name == 'world: simulation']
    return [status.message for status in said if status.message != 'ok']


@pytest.mark.usefixtures('simulated')
def test_a_member_that_never_appears_is_named_and_not_waited_for(ros, tmp_path):
    flown = scenario(run={'startup_timeout': 5.0, 'sim_duration': 2.0})
    diagnostics = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    swarm = fly(ros, flown, tmp_path, leave_out=('uav_2',))
    text = 'uav_2 did not appear; going on without'
    ros.until(lambda: any(text in line for line in warnings_of(diagnostics)), 'the warning')
    assert swarm['world'].drive.missed_answers >= 1
    assert swarm.samples == flown.ticks


@contextmanager
def a_process_for(name: str, swarm: Swarm, folder: Path) -> Iterator[Process]:
    """Run one member of a swarm's plan in a process of its own."""
    plan = folder / 'plan.json'
    save_plan(plan, list(swarm.plan.values()))
    number = list(swarm.plan).index(name)
    command = (sys.executable, '-m', 'soliton_encirclement_ros.cli.runs.node_host')
    command = (*command, str(plan), str(number))
    with Process(command, swarm.ros.domain, folder, is_killed=True) as process:
        yield process


def test_a_controller_that_dies_is_named_counted_and_does_not_stop_the_run(ros, tmp_path):
    flown = scenario(
        run={'lockstep_timeout': 0.5, 'sim_duration': 5.0}, failure={'failure_enable': False}
    )
    diagnostics = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    swarm = Swarm(ros, flown, PlanOptions(True, str(tmp_path), record=False), ('uav_3',))
    with a_process_for('uav_3', swarm, tmp_path) as process:
        ros.until(lambda: swarm.samples > 20, 'twenty ticks')
        process.popen.kill()
        process.end()
        swarm.fly()
    ros.until(lambda: warnings_of(diagnostics), 'the warning')
    text = 'uav_3 did not answer; going on without'
    said = [line for line in warnings_of(diagnostics) if text in line]
    assert len(said) in (1, 2)  # an answer on its way when it died brings it back for one tick
    assert swarm['world'].drive.missed_answers >= 1
    _, rows = read_table(tmp_path / TABLES[1])
    assert len(rows) == flown.ticks
    _, agent_rows = read_table(tmp_path / TABLES[0])
    assert {row[0] for row in agent_rows if row[1] > 4.0} == {1, 2, 4}


@pytest.mark.nightly
def test_a_controller_that_hangs_for_a_while_comes_back(ros, tmp_path):
    flown = scenario(
        run={'lockstep_timeout': 0.5, 'sim_duration': 30.0}, failure={'failure_enable': False}
    )
    swarm = Swarm(ros, flown, PlanOptions(True, str(tmp_path), record=False), ('uav_3',))
    monitor = swarm['monitor_node']
    with a_process_for('uav_3', swarm, tmp_path) as process:
        ros.until(lambda: swarm.samples > 20, 'twenty ticks')
        process.popen.send_signal(signal.SIGSTOP)
        ros.until(lambda: swarm['world'].drive.missed_answers > 0, 'a missed answer')
        since = swarm['world'].world.tick
        ros.until(lambda: swarm['world'].world.tick > since + 100, 'a hundred ticks without')
        process.popen.send_signal(signal.SIGCONT)
        ros.until(lambda: monitor.observer.last.alive == 4, 'all four to be heard again', 60.0)


def world_facts(heard: Heard) -> dict[str, str]:
    return [
        {pair.key: pair.value for pair in status.values}
        for message in heard for status in message.status if status.name == 'world: simulation'
    ][-1]  # fmt: skip


@pytest.mark.usefixtures('simulated')
def test_the_run_is_never_faster_than_its_real_time_factor_and_no_other_one(
    ros, tmp_path, undisturbed
):
    """Without the middleware and with a pace: the tables are those of the flight over DDS."""
    diagnostics = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    swarm = fly(ros, scenario(run={'real_time_factor': 4.0}), tmp_path)
    facts = world_facts(diagnostics)
    assert facts['missed_answers'] == '0'
    assert int(facts['tick']) == swarm.scenario.ticks
    assert float(facts['real_time_factor']) == pytest.approx(4.0, rel=0.1)
    summary = read_json(tmp_path / 'summary.json')
    assert summary['real_time_factor'] == pytest.approx(4.0, rel=0.1)
    assert tables(tmp_path) == undisturbed


# With everything that the radio can do.

ROUGH: dict[str, dict[str, Any]] = {
    'run': {'num_agents': 6, 'seed': 21},
    'failure': {'failure_schedule': '0..0.5: 6; 1.5..2.1: 2 3'},
    'radio': {
        'communication_transmission_range': 34.0,
        'communication_delay': 0.1,
        'communication_jitter': 0.12,
        'communication_failure_rate': 0.2,
        'partitions': '1..1.6: 1 2 target | 3 4',
        'byzantine': '0.5..1: 1 frozen; 1..2: 2 offset 5 -3; 0.4..: 4 random 8; 2..2.5: 5 nan',
    },
}


def test_a_rough_radio_gives_the_rows_of_the_plain_loop(ros, tmp_path):
    flown = scenario(**ROUGH)
    swarm = Swarm(ros, flown, PlanOptions(True, str(tmp_path), record=False))
    heard = ros.listen(JointState, '/uav_1/received_states', LOCKSTEP)
    swarm.fly()
    pure = fly_without_ros(flown)
    assert read_table(tmp_path / TABLES[0])[1] == pure.agents
    assert read_table(tmp_path / TABLES[1])[1] == pure.target
    refused = [swarm[f'uav_{k}'].health.refused['received_states'] for k in (1, 2, 3, 4, 6)]
    assert max(refused) > 0
    assert swarm['monitor_node'].health.refused.total() == 0
    assert swarm['world'].drive.missed_answers == 0
    assert pure.agents != fly_without_ros(scenario(run=ROUGH['run'])).agents
    ages = {
        round(value / 0.05, 9)
        for message in heard
        for name, value in values(message).items()
        if name.endswith('/age') and '/silent/' not in name
    }
    assert ages >= {3.0, 4.0, 5.0} and min(ages) == 3.0  # what is heard carries its age


def test_a_liar_lies_to_the_listeners_and_not_to_the_record(ros, tmp_path):
    flown = scenario(
        run={'sim_duration': 1.5},
        failure={'failure_enable': False},
        radio={'byzantine': '0.5..1: 3 nan'},
    )
    spoken = ros.listen(JointState, '/swarm/agent_states', LOCKSTEP)
    swarm = Swarm(ros, flown, PlanOptions(True, str(tmp_path), record=False))
    heard = ros.listen(JointState, '/uav_1/received_states', LOCKSTEP)
    swarm.fly()
    lies = [message for message in heard if is_nan(message, 'uav_3/x')]
    assert stamps(lies) == [k * 50_000_000 for k in range(11, 21)]
    assert not any(is_nan(message, 'uav_3/x') for message in spoken)


def is_nan(message: JointState, name: str) -> bool:
    """Say whether a coordinate of a message is no number."""
    return math.isnan(values(message).get(name, 0.0))
