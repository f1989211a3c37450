"""Orders of the emergency stop, read from a bag."""

from soliton_encirclement_ros.analysis.bag import read_recording
from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.recording import StopChange
from soliton_encirclement_ros.core.stop.stop_order import EVERYBODY, StopOrder
from soliton_encirclement_ros.core.stop.stop_words import StopWord, fields_of, word_of
from soliton_encirclement_ros.nodes.stop.stop_messages import NAME
from support.chunks import lively
from support.recorded.bags import FORMS, Raw, Scribe, fly_bag, raw_messages, write_bag

KIND = 'diagnostic_msgs/msg/DiagnosticArray'


def told(time: float, *words: StopWord, topic: str = '/swarm/stop') -> Raw:
    """Return a message with some items, logged at a time [s]."""
    scribe = Scribe()
    statuses = [
        scribe.make(
            'diagnostic_msgs/msg/DiagnosticStatus', level=0, name=NAME, message='',
            hardware_id=word.source,
            values=[scribe.make('diagnostic_msgs/msg/KeyValue', key=key, value=value)
                    for key, value in fields_of(word).items()],
        )
        for word in words
    ]  # fmt: skip
    stamp = scribe.stamp(10**18)
    header = scribe.make('std_msgs/msg/Header', stamp=stamp, frame_id='')
    data = scribe.bytes(KIND, header=header, status=statuses)
    return Raw(topic, KIND, round(time * 1e9), data)


def test_an_order_that_everybody_repeats_is_one_event(tmp_path):
    stop = word_of(StopOrder(EVERYBODY, True, 5, 'swarm stop on a laptop'))
    alone = word_of(StopOrder('uav_2', True, 6, 'a node'))
    release = word_of(StopOrder(EVERYBODY, False, 9, 'swarm stop on a laptop'))
    beat = StopWord('heartbeat', source='me', timeout=1.0)
    broken = StopWord('stop', source='me', stamp_ns=-1)
    messages = [
        told(1.0, stop, beat), told(1.1, stop._replace(source='uav_3')), told(2.0, stop, alone),
        told(3.0, release, broken), told(3.1, stop, topic='/other/swarm/stop'),
    ]  # fmt: skip
    flown = raw_messages(fly_bag(tmp_path / 'flown', lively()))
    place = tmp_path / 'bag'
    write_bag(
        place, sorted([*flown, *messages], key=lambda one: one.time_ns), FORMS['mcap-none-9']
    )
    recording = read_recording(place)
    assert recording.stops == (
        StopChange(1.0, '', True, 'swarm stop on a laptop'),
        StopChange(2.0, 'uav_2', True, 'a node'),
        StopChange(3.0, '', False, 'swarm stop on a laptop'),
    )
    orders = [alarm for alarm in find(recording).alarms if 'emergency' in alarm.what]
    assert [(one.time, one.who, one.what) for one in orders] == [
        (1.0, 'all', 'emergency stop by swarm stop on a laptop'),
        (2.0, 'uav_2', 'emergency stop by a node'),
        (3.0, 'all', 'released from the emergency stop by swarm stop on a laptop'),
    ]
