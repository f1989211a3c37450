"""States read from chunks are those that the bag of the same flight holds."""

from pathlib import Path

import pytest
from soliton_encirclement_ros.core.states.state_codec import StateDecoder
from soliton_encirclement_ros.sim.sinks.bag_sink import BagSink
from soliton_encirclement_ros.sim.sinks.sent_states import SentStates
from support.chunks import fly_in_chunks, lively
from support.recorded.run_folder import read_bag_with_rosbags


@pytest.mark.parametrize(
    'more', [{}, {'mobility': {'position_noise_xy': 0.2, 'odom_latency': 0.1}}],
    ids=['exact', 'sensed'],
)  # fmt: skip
def test_states_are_those_in_the_bag(tmp_path: Path, more):
    scenario = lively(**more)
    sink, reader, found = BagSink(tmp_path / 'bag', scenario), SentStates(scenario.agent_ids), []
    for chunk in fly_in_chunks(scenario):
        sink.write(chunk)
        found += [state for states in reader.see(chunk) for state in states]
    sink.close()
    decoder, recorded = StateDecoder(), []
    for message in read_bag_with_rosbags(tmp_path / 'bag')['/swarm/agent_states']:
        body = message.message
        decoded = decoder.decode(body.name, body.position.tolist(), body.velocity.tolist())
        recorded += decoded.states
    assert len(recorded) > 100
    assert found == recorded
    assert any(state.silent for state in found)
