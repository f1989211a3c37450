"""Encirclement laws, one per file; ``controller.py`` is their contract."""

from soliton_encirclement_ros.controllers.controller import Broadcast, Controller, Setup, View
from soliton_encirclement_ros.controllers.soliton import Soliton
from soliton_encirclement_ros.controllers.soliton_v1 import SolitonV1
from soliton_encirclement_ros.controllers.two_channel import TwoChannel

CONTROLLERS = {'soliton': Soliton, 'two_channel': TwoChannel, 'soliton_v1': SolitonV1}

__all__ = [
    'CONTROLLERS',
    'Broadcast',
    'Controller',
    'Setup',
    'Soliton',
    'SolitonV1',
    'TwoChannel',
    'View',
]
