"""A process that writes chunks to sinks until it is killed or every sink has ended.

Run it as ``python -m support.sink_writer FOLDER FORMAT ...``. It tells the time of the last sample
that the sinks have taken, reads a line before it goes on, and at last tells their errors. Its
clock advances by ``STEP`` [s] from chunk to chunk, however long one takes.
"""

import sys
import time
from pathlib import Path

from soliton_encirclement_ros.sim.sinks.telemetry_sinks import make_sinks
from support.chunks import fly_in_chunks, lively

STEP = 0.25

MAX_CHUNKS = 3000


def main(folder: Path, formats: list[str]) -> None:
    """Fly once, and write what was flown over and over with ever later times."""
    scenario, now = lively(), [0.0]
    time.monotonic = lambda: now[0]
    sinks, (flown,) = make_sinks(formats, folder, scenario), fly_in_chunks(scenario, 1000)
    for k in range(MAX_CHUNKS):
        now[0] = STEP * k
        times = flown.times + k * flown.times[-1]
        for sink in sinks:
            sink.write(flown._replace(times=times))
        if all(sink.error for sink in sinks):
            break
        print(times[-1], flush=True)
        sys.stdin.readline()
    for sink in sinks:
        sink.close()
        print(sink.error, file=sys.stderr)


if __name__ == '__main__':
    main(Path(sys.argv[1]), sys.argv[2:])
