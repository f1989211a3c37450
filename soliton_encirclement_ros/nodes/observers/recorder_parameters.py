"""Parameters of the recorder, and the selection of its topics by regular expressions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from soliton_encirclement_ros.core.parameters.run_parameters import IN_LOCKSTEP, IN_REAL_TIME
from soliton_encirclement_ros.core.states.swarm_topics import DIAGNOSTICS, PARAMETER_EVENTS, Fleet
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.user_errors import ParameterError, cut, shown

SMALLEST_FILE = 0.001
"""MB: every file has a header and an index of its own."""

LARGEST_FILE = 1e6

RELIABILITIES = ('offered', 'best_effort')
"""A reliable reader costs each publisher a thread switch per message, to track what has arrived.

Between processes of one computer nothing gets lost that would have to be repeated.
"""


@dataclass(frozen=True)
class RecorderParameters(Parameters):
    """Recorded topics and output."""

    run_folder: str = parameter('', 'run folder; a bag is added to those that are in it')
    bag: str = parameter('', 'new folder of the bag, instead of run_folder')
    lockstep: bool = parameter(False, 'log times are simulated time')
    join: bool = parameter(
        False, 'simulated time begins at the first /clock message, not at 0', **IN_LOCKSTEP
    )
    include: str = parameter(
        '.*', 'regular expression of recorded topics; .*: all of the fleet, at the root all'
    )
    exclude: str = parameter(
        '/rosout|.*/received_states|.*/swarm/observer_progress',
        'regular expression of excluded topics',
    )
    max_file_size: float = parameter(
        0.0, 'largest size of a bag file; 0: one file', unit='MB', minimum=0.0,
        maximum=LARGEST_FILE,
    )  # fmt: skip
    stream_reliability: str = parameter(
        RELIABILITIES[0], 'what is requested for odom, cmd_vel and telemetry: what their '
        'publishers offer, or best_effort, for many agents on this computer',
        choices=RELIABILITIES, **IN_REAL_TIME,
    )  # fmt: skip
    durable: bool = parameter(False, 'sync to disk once a second, for power cuts')

    def __post_init__(self) -> None:
        """Refuse two folders, and a size that rounds to 0, which would mean one file."""
        super().__post_init__()
        if self.bag and self.run_folder:
            raise ParameterError(
                f'bag = {shown(self.bag)} and run_folder = {shown(self.run_folder)} both '
                'set the folder of the bag; leave one of them empty'
            )
        if 0.0 < self.max_file_size < SMALLEST_FILE:
            raise ParameterError(
                f'max_file_size = {self.max_file_size} must be 0 (one file) or at least '
                f'{SMALLEST_FILE:g} MB'
            )


EVERYTHING = '.*'

EVERY_NAME = (EVERYTHING, '.+', '/.*', '/.+')
"""Exclude expressions that certainly leave no topic."""

NO_TOPIC = re.compile(r'\w+/?(?![*?{|\w])[^|]*\Z', re.ASCII)
"""Expressions that begin with a mandatory letter."""

SHARED = (DIAGNOSTICS, PARAMETER_EVENTS, '/tf', '/tf_static')
"""Topics that all fleets of a domain have in common."""


class TopicSelection:
    """Topics that match an include expression and no exclude expression, as a whole.

    By default all topics but hidden ones match, those with a part that begins with an
    underscore, as for ROS's own tools; for a fleet in a namespace the topics in it, and
    those that all fleets share. An explicit expression matches its topics in any namespace.
    """

    def __init__(self, include: Sequence[str], exclude: str, fleet: Fleet) -> None:
        """Compile each by itself, for a recorder of a fleet.

        Joined, they would have one numbering of their groups.

        Raises:
            ParameterError: One is no regular expression, matches nothing or excludes everything.
        """
        named = [text for text in include if text != EVERYTHING]
        self._everything = len(named) < len(include)
        self._include = [inclusion('include', text) for text in named]
        self._exclude = exclusion('exclude', exclude)
        if exclude in named:
            raise ParameterError(
                f'{shown(exclude)} is both included and excluded: it would never be recorded'
            )
        self._fleet = fleet

    def __contains__(self, topic: str) -> bool:
        """Return whether a topic is selected."""
        if self._exclude.fullmatch(topic):
            return False
        if self._everything and '/_' not in topic and self._is_ours(topic):
            return True
        return any(pattern.fullmatch(topic) for pattern in self._include)

    def _is_ours(self, topic: str) -> bool:
        return self._fleet.has(topic) or topic in SHARED


def inclusion(name: str, text: str) -> re.Pattern[str]:
    """Return the expression of selected topics; ``name`` is the option it was given for.

    Raises:
        ParameterError: It is not a regular expression, or empty.
    """
    if not text:
        raise ParameterError(f'{name} = {text!r} names no topic: write {EVERYTHING} for all')
    pattern = _pattern(name, text)
    if NO_TOPIC.match(text):
        raise ParameterError(
            f'{name} = {shown(text)} names no topic, whose names begin with a slash: write '
            f'{shown(f"/{text}")}'
        )
    return pattern


def exclusion(name: str, text: str) -> re.Pattern[str]:
    """Return the expression of topics to exclude; the empty one excludes none.

    Raises:
        ParameterError: It is not a regular expression, or excludes everything.
    """
    if text in EVERY_NAME:
        raise ParameterError(
            f'{name} = {text!r} excludes every topic, so that nothing would be recorded: name '
            'only topics to exclude'
        )
    return _pattern(name, text)


def _pattern(name: str, text: str) -> re.Pattern[str]:
    try:
        text.encode()
        return re.compile(text)
    except UnicodeEncodeError:
        reason = 'not UTF-8 text'
    except RecursionError:
        reason = 'nested too deeply'
    except (re.error, OverflowError) as error:
        reason = cut(str(error))
    raise ParameterError(f'{name} = {shown(text)} is no regular expression: {reason}')
