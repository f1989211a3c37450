"""Which topics are meant, by regular expressions."""

import re
from collections.abc import Sequence

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.shown import shown

from soliton_encirclement_ros.core.fleet import Fleet
from soliton_encirclement_ros.core.topics import DIAGNOSTICS, PARAMETER_EVENTS

EVERYTHING = '.*'

SHARED = (DIAGNOSTICS, PARAMETER_EVENTS, '/tf', '/tf_static')
"""Topics that all fleets of a domain have in common."""


class TopicChoice:
    """Topics that one expression names and another does not, each as a whole.

    Everything means everything but hidden topics, those with a part that begins with an
    underscore, as for ROS's own tools; for a fleet in a namespace it means what lies there, and
    what all fleets share. An expression that names a topic gets it in any case.
    """

    def __init__(self, include: str, exclude: str, fleet: Fleet) -> None:
        """Compile both, for a recorder of a fleet.

        Raises:
            ParameterError: One is no regular expression.
        """
        self._include = pattern('include', include)
        self._exclude = pattern('exclude', exclude)
        self._everything = include == EVERYTHING
        self._fleet = fleet

    def __contains__(self, topic: str) -> bool:
        """Say whether a topic is meant."""
        if self._everything and ('/_' in topic or not self._is_ours(topic)):
            return False
        return bool(self._include.fullmatch(topic) and not self._exclude.fullmatch(topic))

    def _is_ours(self, topic: str) -> bool:
        return self._fleet.has(topic) or topic in SHARED


def pattern(name: str, text: str) -> re.Pattern[str]:
    """Return a compiled regular expression; ``name`` says what it was given for.

    Raises:
        ParameterError: It is none.
    """
    try:
        return re.compile(text)
    except re.error as error:
        raise ParameterError(f'{name} = {shown(text)} is no regular expression: {error}') from None


def any_of(name: str, texts: Sequence[str]) -> str:
    """Return one regular expression for whatever one of several names.

    Raises:
        ParameterError: One is none, or has flags at its beginning; what was typed is shown.
    """
    for text in texts:
        if pattern(name, text).flags != re.compile('').flags:
            raise ParameterError(
                f'{name} = {shown(text)} has flags for the whole: write (?i:...) for (?i)...'
            )
    return '|'.join(f'(?:{text})' for text in texts)
