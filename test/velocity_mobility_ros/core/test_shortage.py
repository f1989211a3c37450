"""Too little memory or too few threads: one line with the limits, whoever noticed it."""

import resource

import pytest
from velocity_mobility_ros.core import shortage as room
from velocity_mobility_ros.core.shortage import ShortageError, shortage, warn_of_shortage

LINE = (
    'the system gives this process no more memory or threads (ulimit -v = 700000, ulimit -u = '
    'unlimited): raise the limit, or close other programs'
)


@pytest.fixture(autouse=True)
def limits(monkeypatch):
    """Give the process limits; they can be changed."""
    told = {resource.RLIMIT_AS: 700_000 * 1024, resource.RLIMIT_NPROC: resource.RLIM_INFINITY}
    monkeypatch.setattr(room.resource, 'getrlimit', lambda kind: (told[kind], told[kind]))
    return told


@pytest.mark.parametrize('error', [
    MemoryError('std::bad_alloc'),
    RuntimeError('pthread_create failed: Resource temporarily unavailable'),
    RuntimeError("can't start new thread"),
    RuntimeError('unable to start watchdog thread'),
    OSError(12, 'Cannot allocate memory'),
    BlockingIOError(11, 'Resource temporarily unavailable'),
    ImportError('libx.so: failed to map segment from shared object'),
])  # fmt: skip
def test_whoever_says_so_the_limits_are_named(error):
    assert shortage(error) == LINE
    assert shortage(ShortageError(LINE)) == LINE


@pytest.mark.parametrize('error', [RuntimeError('no'), OSError(2, 'no'), ValueError('bad_alloc')])
def test_any_other_error_is_none(error):
    assert shortage(error) is None


def test_a_limit_that_may_crash_ros_is_warned_of(limits, capsys):
    warn_of_shortage()
    assert capsys.readouterr().err == (
        'warning: ulimit -v = 700000: ROS may crash for lack of memory or threads; raise it to '
        '2000000 or more\n'
    )
    limits[resource.RLIMIT_AS] = resource.RLIM_INFINITY
    warn_of_shortage()
    assert capsys.readouterr().err == ''
