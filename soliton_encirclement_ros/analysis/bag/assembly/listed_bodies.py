"""Bodies that share a topic: frames of /tf, and the rigid bodies of motion capture."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.analysis.bag.assembly.frame_tree import (
    FrameTree,
    chain,
    parents,
)
from soliton_encirclement_ros.analysis.bag.decoding.listed_poses import Entry, ListDecoder
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Rows
from soliton_encirclement_ros.analysis.bag.decoding.topic_decoder import TopicDecoder
from soliton_encirclement_ros.analysis.bag.topics.namespaces import body_name
from soliton_encirclement_ros.analysis.bag.topics.topic_map import (
    IN_LIST,
    ODOM,
    TopicMap,
    apart,
)
from soliton_encirclement_ros.analysis.bag.topics.topic_roles import (
    FRAMES,
    LIST,
    LISTS,
    MAX_NAMED,
    POSE_ARRAY,
    STATIC,
    Key,
    Role,
)


class ListedBody(NamedTuple):
    """A body in a topic that tells of several.

    Attributes:
        quantity: ``odom`` or ``ground_truth``.
        member: The member that it is.
        told: Topic and body, as in a map.
        type: Type of the topic.
        frame: Frame of its positions.
        rows: With the columns of ``vehicle_messages.BODY``.
    """

    quantity: str
    member: str
    told: str
    type: str
    frame: str
    rows: Rows


class _Wanted(NamedTuple):
    quantity: str
    member: str
    topic: str
    entry: str


def listed_bodies(
    gatherers: Mapping[Key, TopicDecoder], chosen: Mapping[Key, Role], naming: TopicMap | None
) -> tuple[list[ListedBody], list[str]]:
    """Return the bodies in a map, else those in the topics of the best type; and the problems.

    Args:
        gatherers: Decoded messages.
        chosen: Roles of all topics.
        naming: The map that has chosen them, if any.
    """
    keys = sorted(key for key, role in chosen.items() if role.kind == LIST and key in gatherers)
    types = [kind for kind in LISTS if any(key[1] == kind for key in keys)]
    bodies, problems = [], []
    for kind in types if naming is not None else types[:1]:
        decoders = {topic: gatherers[topic, kind] for topic, one in keys if one == kind}
        uneven = [topic for topic, one in decoders.items()
                  if kind == POSE_ARRAY and len(one.bodies.lengths - {0}) > 1]  # fmt: skip
        problems += [f'{topic}: its poses have no names, and their number changes: left out'
                     for topic in uneven]  # fmt: skip
        trees = _trees({topic: one for topic, one in decoders.items() if topic not in uneven})
        wanted = [*(_mapped(naming) if naming is not None else _usual(kind, trees))]
        for quantity, member, topic, entry in wanted:
            found = trees[topic].body(entry) if topic in trees else None
            if found is not None:
                told = f'{topic}{IN_LIST}{entry}'
                bodies.append(ListedBody(quantity, member, told, kind, *found))
        if naming is None:
            problems += _in_words(kind, trees, bodies)
    return bodies, problems


def unfit(decoders: Iterable[tuple[str, ListDecoder]], topic: str, entry: str) -> str:
    """Return what is wrong with the body that a map names in a topic; empty if nothing is.

    Args:
        decoders: Topics that tell of several bodies, with their messages.
        topic: One of them.
        entry: The body, empty if the map names none.
    """
    sizes: Counter[Entry] = Counter()
    for name, decoder in decoders:
        if name in (topic, f'{topic}{STATIC}'):
            sizes.update(decoder.sizes)
    known = parents(sizes)
    if chain(known, entry):
        return ''
    what = f'holds no {entry!r}' if entry else f'tells of several bodies: write {topic}:NAME'
    return f'{what}; there are {_some(sorted(known))}' if known else f'{what}, nor any other'


def _some(names: Sequence[str]) -> str:
    return ', '.join(names[:MAX_NAMED]) + (', ...' if len(names) > MAX_NAMED else '')


def _trees(decoders: Mapping[str, TopicDecoder]) -> dict[str, FrameTree]:
    """Return the frames by topic; to those of /tf belong those of /tf_static."""
    links = {topic: one.bodies.whole() for topic, one in decoders.items() if one.bodies}
    still = {topic: links.pop(topic) for topic in [*links] if topic.endswith(STATIC)}
    return {
        topic: FrameTree({**still.get(f'{topic}{STATIC}', {}), **own}, own)
        for topic, own in links.items()
    }


def _mapped(naming: TopicMap) -> Iterator[_Wanted]:
    for member, topics in naming.topics.items():
        for quantity, told in topics.items():
            yield _Wanted(quantity, member, *apart(told))


def _usual(kind: str, trees: Mapping[str, FrameTree]) -> Iterator[_Wanted]:
    """Iterate over what is a body by its name, or in a list without names by its place."""
    if kind == POSE_ARRAY and len(trees) > 1:
        return
    for topic, tree in trees.items():
        if kind == FRAMES:
            found = tree.bodies(topic.rpartition('/')[0])
        elif kind == POSE_ARRAY:
            found = {f'pose_{place}': place for place in tree.names}
        else:
            found = {body_name(name): name for name in tree.names}
        yield from (_Wanted(ODOM, member, topic, entry) for member, entry in found.items())


def _in_words(
    kind: str, trees: Mapping[str, FrameTree], bodies: Sequence[ListedBody]
) -> Iterator[str]:
    """Iterate over a line on what was taken for a body where names do not say that."""
    if kind not in (FRAMES, POSE_ARRAY) or not trees:
        return
    where = ', '.join(trees)
    names = [name for tree in trees.values() for name in tree.names]
    if not names:
        yield f'{where}: its bodies have no names: none is used'
        return
    if not bodies:
        yield (
            f'{where}: which of its bodies are vehicles is not known; a map file (--map) can name '
            f'them as {next(iter(trees))}{IN_LIST}NAME; there are {_some(names)}'
        )
        return
    listed = _some([one.member for one in bodies])
    told = 'places in the list' if kind == POSE_ARRAY else f'frames in {bodies[0].frame!r}'
    yield (
        f'{where}: {listed} are taken for bodies, by their {told}; a map file (--map) can name '
        f'others, as {bodies[0].told}'
    )
