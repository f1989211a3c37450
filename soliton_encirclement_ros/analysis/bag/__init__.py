"""Bags as recordings: rosbag2 in sqlite3 and mcap, intact or damaged, without ROS."""

from collections.abc import Callable
from pathlib import Path

from soliton_encirclement_ros.analysis.bag.topic_map import TopicMap, load_topic_map, map_text
from soliton_encirclement_ros.analysis.recording import Recording

__all__ = ['TopicMap', 'load_topic_map', 'map_text', 'read_recording']


def read_recording(
    path: Path,
    names: TopicMap | None = None,
    progress: Callable[[int, int], None] | None = None,
    flight: int | None = None,
    namespace: str | None = None,
) -> Recording:
    """Read a bag; all complete data is used, the rest is reported in ``problems``.

    Args:
        path: A run's folder, a rosbag2 folder, or a ``.mcap`` or ``.db3`` file, also compressed.
        names: Map of topics to members; None for the usual names.
        progress: Called a few times a second with the number of messages read, and of all there
            are or 0.
        flight: Which of several simulated flights in the bag, from 1; None for the last.
        namespace: That of the fleet, where several are in the bag; None for the first.

    Raises:
        RunError: The bag has no usable data; one line says why. There is no such flight or fleet.
    """
    # Late, since the library of bags takes longer to load than most verbs run.
    from soliton_encirclement_ros.analysis.bag import bag_reader

    return bag_reader.read_recording(path, names, progress, flight, namespace)
