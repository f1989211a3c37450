"""The error of a polyline: one type, with a code, the followed entity and the vertex."""

from velocity_mobility_ros.core.errors import MobilityError
from velocity_mobility_ros.core.polyline.codes import NAMES, TEXTS


class PolylineError(MobilityError):
    """A polyline is invalid, or cannot be followed.

    Attributes:
        code: Name of the error, such as ``ARRIVAL_TIME_MISSED``.
        entity: What follows the polyline; empty if not known.
        vertex: Index of the vertex, counted from 0; None if the error is about none.
        detail: What is wrong, without entity and vertex.
    """

    def __init__(
        self, code: int, entity: str = '', vertex: int | None = None, detail: str = ''
    ) -> None:
        """Make the message.

        Args:
            code: The code.
            entity: What follows the polyline.
            vertex: Index of the vertex.
            detail: Values, after the text of the code.
        """
        self.code = NAMES[code]
        self.entity = entity
        self.vertex = vertex
        self.detail = TEXTS[code] + (f' ({detail})' if detail else '')
        where = [entity] * bool(entity) + [f'vertex {vertex}'] * (vertex is not None)
        super().__init__(': '.join([*where, f'{self.detail} [{self.code}]']))
