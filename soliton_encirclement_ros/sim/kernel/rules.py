"""The constants of a flight, as the compiled tick reads them."""

from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.core.model import Limits

from soliton_encirclement_ros.core.pursuit import PursuitGains
from soliton_encirclement_ros.core.soliton import SolitonGains
from soliton_encirclement_ros.core.spin import SpinGains
from soliton_encirclement_ros.core.two_channel import TwoChannelGains
from soliton_encirclement_ros.propagation.advection import AdvectionGains
from soliton_encirclement_ros.propagation.alarm import AlarmGains
from soliton_encirclement_ros.propagation.burgers import BurgersGains
from soliton_encirclement_ros.propagation.excitable import ExcitableGains
from soliton_encirclement_ros.propagation.kdv import KdvGains
from soliton_encirclement_ros.propagation.wave import WaveGains

SOLITON, TWO_CHANNEL, SOLITON_V1 = range(3)
LAWS = ('soliton', 'two_channel', 'soliton_v1')

BASELINE, ADVECTION, WAVE, EXCITABLE, KDV, ALARM, BURGERS = range(7)
LAYER_NAMES = ('baseline', 'advection', 'wave', 'excitable', 'kdv', 'alarm', 'burgers')

SPIN_NAMES = ('v1', 'v3', 'filtered')


class LayerGains(NamedTuple):
    """The gains of every layer; only one is in use."""

    advection: AdvectionGains
    wave: WaveGains
    excitable: ExcitableGains
    kdv: KdvGains
    alarm: AlarmGains
    burgers: BurgersGains


class SwarmRules(NamedTuple):
    """What all members share, and how the laws read their numbers."""

    agents: int
    adversary: int
    law: int
    layer: int
    period: float
    substeps: int
    update_period: float
    radius: float
    agent_timeout: float
    target_timeout: float
    prune: bool
    rejoins: bool


class LawRules(NamedTuple):
    """Gains of the laws."""

    pursuit: PursuitGains
    seed: SolitonGains
    channels: TwoChannelGains
    layers: LayerGains
    hysteresis: float
    r_min: float
    k_r: float
    k_dr: float
    k_tau: float
    k_omega_damp: float
    hops: int
    acc_filter: float
    target_hold: float
    neighbour_hold: float


class FailureRules(NamedTuple):
    """When agents fail by chance."""

    enable: bool
    period: float
    off_time: float


class TargetRules(NamedTuple):
    """How the target moves and what it asks for."""

    constant: bool
    heading_deg: float
    motion_period: float
    speed: float
    bound: float
    protection_deg: float
    always_fresh: bool
    spin: bool
    spin_law: int
    omega_ref: float
    spin_gains: SpinGains


class AdversaryRules(NamedTuple):
    """How the adversary roams."""

    bound: float
    keep: float
    speed: float


class RadioRules(NamedTuple):
    """What the radio does; times in s, and in ns where named so."""

    seed: np.uint64
    range_sq: float
    loss: float
    delay: float
    delay_ns: int
    jitter: float
    jitter_ns: int


class RecordRules(NamedTuple):
    """What is recorded: every n-th tick, room for events, and the study's numbers or not."""

    every: int
    study: bool


class Rules(NamedTuple):
    """All constants of a flight."""

    swarm: SwarmRules
    laws: LawRules
    limits: Limits
    failure: FailureRules
    target: TargetRules
    adversary: AdversaryRules
    radio: RadioRules
    record: RecordRules
