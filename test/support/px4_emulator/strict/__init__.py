"""Strict mode: what PX4 lets pass, or only misbehaves on, is a violation."""

from support.px4_emulator.strict.judge import Strict
from support.px4_emulator.strict.records import Scene, Violation

__all__ = ['Scene', 'Strict', 'Violation']
