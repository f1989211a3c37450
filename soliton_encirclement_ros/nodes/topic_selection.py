"""Selection of topics by regular expressions."""

import re
from collections.abc import Sequence

from velocity_mobility_ros.core.user_errors import ParameterError, cut, shown

from soliton_encirclement_ros.core.states.swarm_topics import DIAGNOSTICS, PARAMETER_EVENTS, Fleet

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
        return any(one.fullmatch(topic) for one in self._include)

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
