"""Entry point of the ``swarm`` command.

Exit codes: 0 success, 1 the run failed its verdict or standard output could not be written, 2
wrong usage or input (one line on stderr), 130 interrupted.
"""

import gc
import sys
from typing import NoReturn

from velocity_mobility_ros.core.environment.unix_process import (
    StopRequest, end_command, on_stop_signals
)

INTERRUPTED = 130

OBJECTS_PER_COLLECTION = 100_000
"""New objects between two garbage collections.

Imports create a million lasting objects; collecting after each 700, Python's default, takes 0.2 s.
"""

AT_ONCE = ('fly', 'stop', 'param', 'topics', 'fail', 'recover')
"""Commands for which discovery begins before they are loaded."""


def command() -> None:
    """Run the command line and end the process; the installed ``swarm`` calls this."""
    gc.set_threshold(OBJECTS_PER_COLLECTION)
    end_command(main())


def main() -> int:
    """Run the command line; until a run handles the signals, ctrl-C or SIGTERM just ends it.

    This is set up before any other import.
    """
    on_stop_signals(_end)
    from soliton_encirclement_ros.cli.output import (
        draw_into_files, fault_tolerant_output, free_standard_output, reserve_stdout_for_json
    )

    draw_into_files()
    is_json = '--json' in sys.argv
    if is_json:
        free_standard_output()
    with fault_tolerant_output() as exit_code:
        if is_json:
            reserve_stdout_for_json()
        try:
            code = _run()
        except (SystemExit, KeyboardInterrupt) as error:  # a signal
            code = getattr(error, 'code', INTERRUPTED)
    return exit_code(code)


def _end(*_: object) -> NoReturn:
    raise StopRequest(INTERRUPTED)


def _run() -> int:
    from soliton_encirclement_ros.cli.output import WRONG_INPUT, explain, print_error

    begins = bool({*sys.argv[1:2]} & {*AT_ONCE} and not {'-h', '--help'} & {*sys.argv})
    try:
        if begins:
            from soliton_encirclement_ros.cli.operator.ros_context import begin_discovery

            begin_discovery()
        from soliton_encirclement_ros.cli.app import run_command_line

        return run_command_line()
    except ImportError as error:
        line = explain(error)
        if line is None:
            raise
        print_error(line)
        return WRONG_INPUT
    finally:
        if begins:
            from soliton_encirclement_ros.cli.operator.ros_context import end_discovery

            end_discovery()


if __name__ == '__main__':
    command()
