"""Which topics are meant, by regular expressions."""

import re

from velocity_mobility_ros.core.errors import ParameterError

EVERYTHING = '.*'


class TopicChoice:
    """Topics that one expression names and another does not, each as a whole.

    Everything means everything but hidden topics, those with a part that begins with an
    underscore, as for ROS's own tools; an expression that names them gets them.
    """

    def __init__(self, include: str, exclude: str) -> None:
        """Compile both.

        Raises:
            ParameterError: One is no regular expression.
        """
        self._include = _pattern('include', include)
        self._exclude = _pattern('exclude', exclude)
        self._hidden = include != EVERYTHING

    def __contains__(self, topic: str) -> bool:
        """Say whether a topic is meant."""
        shown = self._hidden or '/_' not in topic
        named = self._include.fullmatch(topic) and not self._exclude.fullmatch(topic)
        return shown and bool(named)


def _pattern(name: str, text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise ParameterError(f'{name} = {text!r} is no regular expression: {error}') from None
