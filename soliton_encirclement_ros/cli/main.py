"""Entry point of the ``swarm`` command.

Exit codes: 0 done, 1 the run failed its own verdict, 2 wrong usage or input (one line on stderr),
130 interrupted.
"""

import os
import signal
import sys

INTERRUPTED = 130


def main() -> int:
    """Run the command line; until a run takes the signal over, an interrupt just ends it."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    from soliton_encirclement_ros.cli.app import run_command_line

    return run_command_line()


if __name__ == '__main__':
    sys.exit(main())
