"""docs/reference/messages.md says what travels: the code holds every table, every script runs."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from nav_msgs.msg import Odometry
from rclpy.qos import DurabilityPolicy, ReliabilityPolicy
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.controllers.tangential_channels import SolitonState
from soliton_encirclement_ros.core import AdversaryState, AgentState, TargetState
from soliton_encirclement_ros.core.errors import MalformedStateError
from soliton_encirclement_ros.core.laws.filter_codes import REASONS
from soliton_encirclement_ros.core.laws.telemetry import (
    BODY_QUANTITIES, ESTIMATE_QUANTITIES, FILTER_QUANTITIES
)
from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from soliton_encirclement_ros.core.states.state_codec import REQUIRED, encode, parse_layout
from soliton_encirclement_ros.core.states.states import SilentBody
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.propagation import LAYERS
from support.chunks import lively
from support.cli import NO_SHARED_MEMORY
from support.pages import text_of
from support.recorded.bags import fly_bag
from support.ros.bodies import odometry
from support.ros.graph import Ros, domain, ros
from support.ros.swarm import Swarm, scenario
from velocity_mobility_ros.ros_io.endpoints import STATE

__all__ = ['domain', 'ros']

pytestmark = pytest.mark.ros

NAMES = re.compile(r'`([^`]+)`')
ORIGIN = (0.0, 0.0, 0.0)


@pytest.fixture(scope='module')
def page() -> str:
    """Return the text of the page."""
    return text_of('docs/reference/messages.md')


def rows(text: str) -> list[list[str]]:
    """Return the rows of the first table in a text, without its head."""
    table = re.search(r'((?:^\|.*\n)+)', text, re.MULTILINE)[1]
    lines = [[cell.strip() for cell in re.split(r'(?<!\\)\|', line)[1:-1]]
             for line in table.splitlines()]  # fmt: skip
    return lines[2:]


def after(page: str, words: str) -> str:
    """Return what follows some words of the page."""
    assert page.count(words) == 1, words
    return page.partition(words)[2]


def scripts(page: str) -> Iterator[str]:
    """Iterate over the scripts of the page."""
    return (match[1] for match in re.finditer(r'```python\n(.*?)```', page, re.DOTALL))


def named(text: str) -> list[str]:
    """Return the name in every row of the first table in a text."""
    return [NAMES.findall(row[0])[0] for row in rows(text)]


def test_every_value_that_is_told_is_on_the_page(page):
    """Of laws that tell alike one has the table."""
    assert CONTROLLERS['soliton_v1'].telemetry_names == SolitonState._fields
    assert all(f'{code} {name}' in page for code, name in enumerate(REASONS) if code)
    told = {law: one.telemetry_quantities for law, one in CONTROLLERS.items()}
    alike = [law for law in told if told[law] is told['soliton']][1:]
    assert all(f'`{law}`' in page for law in alike)
    parts = {
        'First, under every law': BODY_QUANTITIES,
        'the last values of every law are': FILTER_QUANTITIES,
        'Where agents [estimate the target]': ESTIMATE_QUANTITIES,
        '## `swarm/metrics`': SAMPLE_NAMES,
        **{f'\n`{law}`:\n': told[law] for law in told if law not in alike},
    }
    for words, quantities in parts.items():
        assert named(after(page, words)) == [*quantities], words


def documented(page: str) -> dict[str, list[str]]:
    """Return the row of every name that members may say, for agent 1 and field q."""
    found = {}
    for row in rows(after(page, '## What members say')):
        for name in NAMES.findall(row[0]):
            plain = name.replace('_K', '_1').replace('_J', '_2').replace('NAME', 'q')
            for member in ('uav_1', 'target', 'adversary') if 'MEMBER' in plain else ('',):
                found[plain.replace('MEMBER', member)] = row
    return found


def test_every_name_that_is_said_is_on_the_page_and_no_other(page):
    names = documented(page)
    gone = SilentBody(2, ORIGIN, ORIGIN, 1.0)
    states = [
        AgentState(1, 7, ORIGIN, ORIGIN, 0.5, 0.1, (('q', 1.0),), 0.2, (gone,), False),
        TargetState(3, ORIGIN, ORIGIN, ((1, 2.0),), 0.3, 0.1),
        AdversaryState(4, ORIGIN, ORIGIN, 0.1),
    ]
    assert set(encode(states, 0.1).names) == set(names)
    needed = {name for name, row in names.items() if row[5] == 'yes'}
    owners = ('uav_1', 'target', 'adversary')
    bodies = (*owners, 'uav_1/silent/uav_2')
    assert needed == {f'{owner}/{field}' for owner in owners for field in REQUIRED}
    rated = {name for name, row in names.items() if row[3] != '0' and 'age' not in name}
    assert rated == {f'{owner}/{axis}' for owner in bodies for axis in 'xyz'}
    for name in ('uav_1/omega_ref', 'target/u', 'adversary/lambda', 'uav_1/prop/', 'world/x'):
        with pytest.raises(MalformedStateError):
            parse_layout([name])


def test_the_fields_of_every_layer_are_on_the_page(page):
    found = {row[0].strip('`'): NAMES.findall(row[1])
             for row in rows(after(page, 'The fields of the propagation layers'))}  # fmt: skip
    assert found == {name: [*layer.no_message._fields] for name, layer in LAYERS.items()}


RELIABILITY = {
    ReliabilityPolicy.RELIABLE: 'reliable',
    ReliabilityPolicy.BEST_EFFORT: 'best effort',
}


@pytest.mark.parametrize(('lockstep', 'column'), [(False, 4), (True, 5)])
def test_topics_types_and_qualities_are_those_of_the_page(ros, page, tmp_path, lockstep, column):
    """Every topic of the page is there, as it says, and the nodes publish no other."""
    noise = {'position_noise_xy': 0.1}
    flown = scenario(radio={'communication_failure_rate': 0.1}, mobility=noise)
    Swarm(ros, flown, PlanOptions(lockstep, str(tmp_path), record=True))
    told = {}
    for row in rows(after(page, '## Topics')):
        name, types = NAMES.findall(row[0])[0], NAMES.findall(row[1])
        for member in ('uav_1', 'target', 'adversary') if 'MEMBER' in name else ('',):
            topic = name.replace('_K', '_1').replace('MEMBER', member)
            if row[column]:
                told[topic if topic.startswith('/') else f'/{topic}'] = types, row[column]

    def spoken() -> set[str]:
        listed = dict(ros.tester.get_topic_names_and_types())
        return {topic for topic in listed if ros.tester.get_publishers_info_by_topic(topic)}

    heard: list[JointState] = []
    ros.tester.create_subscription(JointState, '/swarm/metrics', heard.append, STATE)
    ros.until(lambda: set(told) <= spoken() and heard, 'every topic and a sample')
    others = {topic for topic in spoken() if re.match(r'/uav_[2-9]/', topic)}
    assert spoken() - others - {'/rosout', '/tf', '/tf_static'} == set(told)
    for topic, (types, quality) in told.items():
        offers = ros.tester.get_publishers_info_by_topic(topic)
        kinds = {offer.topic_type for offer in offers}
        assert kinds <= {types[0], *(f'geometry_msgs/msg/{one}' for one in types)}, topic
        assert {RELIABILITY[offer.qos_profile.reliability] for offer in offers} == {quality}, topic
        lasting = {offer.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL
                   for offer in offers}  # fmt: skip
        assert lasting == {topic == '/swarm/observer_progress'}, topic


def test_the_reader_of_the_page_hears_real_agents(ros: Ros, page, tmp_path, domain):
    """Word for word, as a process of its own."""
    live, _ = scripts(page)
    assert len(live.splitlines()) <= 30
    path = tmp_path / 'agents.py'
    path.write_text(live, encoding='utf-8')
    ros.make(AgentNode, '/uav_3')
    odom = ros.voice(Odometry, '/uav_3/odom', STATE)
    told = tmp_path / 'told.txt'
    with told.open('w', encoding='utf-8') as output, subprocess.Popen(
        [sys.executable, str(path)], stdout=output, stderr=subprocess.STDOUT,
        env={**os.environ, 'ROS_DOMAIN_ID': str(domain), **NO_SHARED_MEMORY},
    ) as process:  # fmt: skip

        def has_told() -> bool:
            odom.publish(odometry(ros.now_ns(), (30.0, 0.5, 5.0)))
            return 'uav_3: x 30.00 m, y 0.50 m, z 5.00 m, u 0.000\n' in told.read_text()

        try:
            ros.until(has_told, 'a line of the reader', 30.0)
        finally:
            process.kill()  # how plain rclpy nodes end is not what is shown here


def test_the_reader_of_bags_of_the_page_reads_one(page, tmp_path):
    _, reader = scripts(page)
    assert len(reader.splitlines()) <= 30
    (tmp_path / 'bag_agents.py').write_text(reader, encoding='utf-8')
    flown = lively()
    bag = fly_bag(tmp_path / 'bag', flown)
    done = subprocess.run([sys.executable, str(tmp_path / 'bag_agents.py'), str(bag)],
                          capture_output=True, text=True, check=True)  # fmt: skip
    lines = done.stdout.splitlines()
    assert re.fullmatch(
        r'0\.05 s: uav_1: x -?\d+\.\d\d m, y -?\d+\.\d\d m, z 0\.00 m, u -?\d\.\d{3}', lines[0]
    )
    assert len({line.split(':')[1] for line in lines}) == flown.run.num_agents
