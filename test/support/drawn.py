"""For tests of pictures: what lies where."""

from matplotlib.axes import Axes


def assert_inside(axes: Axes) -> None:
    """Assert that all names in a drawn plot, at least one, lie within its frame."""
    frame, names = axes.get_window_extent(), [text for text in axes.texts if text.get_text()]
    assert names
    for text in names:
        box = text.get_window_extent()
        corners = (box.x0, box.y0), (box.x1, box.y1)
        assert all(frame.contains(*corner) for corner in corners), text.get_text()
