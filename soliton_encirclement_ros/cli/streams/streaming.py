"""Sends a swarm to a third-party viewer: live, or after the fact as a file."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Optional

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import replacing, writing

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.findings import Findings
    from soliton_encirclement_ros.cli.live.view_node import ViewNode
    from soliton_encirclement_ros.cli.streams.foxglove_sink import FoxgloveSink
    from soliton_encirclement_ros.cli.streams.rerun_sink import RerunSink

    Sink = FoxgloveSink | RerunSink

FOXGLOVE, RERUN = 'foxglove', 'rerun'
STREAMS = {FOXGLOVE: 'flight.mcap', RERUN: 'flight.rrd'}
"""The streams, and the files of a report; each has the name of the library that it needs."""

HERE = '127.0.0.1'
RERUN_PORT = 9876
"""Where the viewer of Rerun listens."""


def check_stream(stream: Optional[str], is_live: bool = True, port: Optional[int] = None) -> None:
    """Refuse a stream that cannot be, before anything flies or is read.

    Args:
        stream: Its name; None: none is asked for.
        is_live: Whether it is of a running swarm.
        port: The port of Rerun's viewer; None: the usual one.

    Raises:
        ModuleNotFoundError: Its library is not installed.
        RunError: No viewer of Rerun is open.
    """
    if stream is None:
        return
    if find_spec(stream) is None:
        raise ModuleNotFoundError(f'No module named {stream!r}', name=stream)
    if stream == RERUN and is_live:
        try:
            socket.create_connection((HERE, port or RERUN_PORT), 1.0).close()
        except OSError as error:
            raise RunError(
                f'--stream {RERUN}: no viewer listens on port {port or RERUN_PORT} of this '
                f'computer ({error.strerror or error}); open one: rerun --bind {HERE}'
            ) from None


@contextmanager
def live_sink(stream: str, port: int) -> 'Iterator[Sink]':
    """Open a stream of a running swarm.

    Args:
        stream: Its name.
        port: Where to serve Foxglove, or where the viewer of Rerun listens.
    """
    if stream == FOXGLOVE:
        from soliton_encirclement_ros.cli.streams.foxglove_sink import FoxgloveServer

        sink = FoxgloveServer(HERE, port)
    else:
        from soliton_encirclement_ros.cli.streams.rerun_sink import RerunSink

        address = f'rerun+http://{HERE}:{port}/proxy'
        sink = RerunSink(lambda stream: stream.connect_grpc(address))
    try:
        yield sink
    finally:
        sink.close()


def follow(node: 'ViewNode', sink: 'Sink', is_over: Callable[[], bool]) -> None:
    """Send what a listener sees until it is over."""
    from soliton_encirclement_ros.cli.live.swarm_picture import STEP
    from soliton_encirclement_ros.cli.streams.moment import live_moment

    due = time.monotonic()
    while not is_over():
        if node.update():
            sink.begin()
        update = node.picture.look()
        if update is not None:
            sink.send(live_moment(node.picture, update))
        due = max(due + STEP, time.monotonic())
        time.sleep(max(0.0, due - time.monotonic()))


def write_stream(stream: str, folder: Path, findings: 'Findings') -> Path:
    """Write a recording as the file of a viewer; return it.

    Raises:
        RunError: It cannot be written.
    """
    from soliton_encirclement_ros.cli.streams.moment import recorded_moments

    path, begin_ns = folder / STREAMS[stream], findings.recording.start_ns
    with writing(path), replacing(path) as part, _file_sink(stream, part, begin_ns) as sink:
        for moment in recorded_moments(findings):
            sink.send(moment)
    return path


@contextmanager
def _file_sink(stream: str, path: Path, begin_ns: int) -> 'Iterator[Sink]':
    if stream == FOXGLOVE:
        from foxglove import Context, open_mcap

        from soliton_encirclement_ros.cli.streams.foxglove_sink import FoxgloveSink

        context = Context()
        with open_mcap(path, allow_overwrite=True, context=context):
            yield FoxgloveSink(context, begin_ns)
        return
    from soliton_encirclement_ros.cli.streams.rerun_sink import FILE, RerunSink

    sink = RerunSink(lambda stream: stream.save(path), FILE)
    yield sink
    sink.close()
