"""A process that writes chunks to sinks until it is killed or every sink has ended.

Run it as ``python -m support.sink_writer FOLDER FORMAT ...``. It tells the time of every sample
that the sinks have taken, and at last their errors.
"""

import sys
import time
from pathlib import Path

from soliton_encirclement_ros.sim.sinks import make_sinks
from support.chunks import fly_in_chunks, lively

PAUSE = 0.01
"""Wall time [s] between two chunks."""

MAX_CHUNKS = 3000


def main(folder: Path, formats: list[str]) -> None:
    """Fly once, and write what was flown over and over with ever later times."""
    scenario = lively()
    sinks, (flown,) = make_sinks(formats, folder, scenario), fly_in_chunks(scenario, 1000)
    for k in range(MAX_CHUNKS):
        times = flown.times + k * flown.times[-1]
        for sink in sinks:
            sink.write(flown._replace(times=times))
        if all(sink.error for sink in sinks):
            break
        print(times[-1], flush=True)
        time.sleep(PAUSE)
    for sink in sinks:
        sink.close()
        print(sink.error, file=sys.stderr)


if __name__ == '__main__':
    main(Path(sys.argv[1]), sys.argv[2:])
