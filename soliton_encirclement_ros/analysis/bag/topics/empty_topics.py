"""Topics of vehicles that a bag names without a message of them."""

from collections.abc import Callable, Iterable, Mapping

from soliton_encirclement_ros.analysis.bag.storage.opening import Opened
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import rooted
from soliton_encirclement_ros.analysis.bag.topics.topic_map import TopicMap
from soliton_encirclement_ros.analysis.bag.topics.topic_roles import OTHER, Key, roles


def empty_topics(
    opened: Opened,
    keys: Iterable[Key],
    counts: Mapping[str, int],
    naming: TopicMap | None,
    wanted: Callable[[str], bool],
) -> list[str]:
    """Return a line for every topic that would tell of a vehicle or the swarm, but is empty.

    Args:
        opened: The bag, read.
        keys: Its topics with messages.
        counts: How many messages there are, by topic.
        naming: A map of topics to members, None for the usual names.
        wanted: Returns whether a topic is used.
    """
    declared = {key for storage in opened.storages for key in storage.declared}
    named = {(rooted(topic), kind) for topic, kind in declared | {*opened.metadata.types.items()}}
    empty = {key for key in named if wanted(key[0]) and not counts.get(key[0])}
    found = roles({*keys, *empty}, naming)
    return [
        f'{topic}: no messages'
        for topic, kind in sorted(empty)
        if (topic, kind) in found and found[topic, kind].kind != OTHER
    ]
