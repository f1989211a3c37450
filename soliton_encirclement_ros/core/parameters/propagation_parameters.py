"""How information travels along the ring: the layer in use and the parameters of every layer."""

from dataclasses import dataclass
from functools import partial

from velocity_mobility_ros.core.parameters import Parameters, parameter

LAYER_NAMES = ('baseline', 'advection', 'wave', 'excitable', 'kdv', 'alarm', 'burgers')

MAX_TICKS = 1_000_000

ADVECTION = partial(parameter, only_with={'propagation_method': 'advection'})
WAVE = partial(parameter, only_with={'propagation_method': 'wave'})
EXCITABLE = partial(parameter, only_with={'propagation_method': 'excitable'})
KDV = partial(parameter, only_with={'propagation_method': 'kdv'})
ALARM = partial(parameter, only_with={'propagation_method': 'alarm'})
BURGERS = partial(parameter, only_with={'propagation_method': 'burgers'})
"""Declare a parameter of one layer."""


@dataclass(frozen=True)
class PropagationParameters(Parameters, live=True):
    """The propagation layer and the parameters of all layers; only those in use count."""

    propagation_method: str = parameter(
        'baseline', 'the layer; baseline propagates nothing', choices=LAYER_NAMES,
        fixed='every layer has a memory of its own kind',
    )  # fmt: skip
    propagation_k_prop: float = parameter(
        1.0, "gain of the neighbours' signal; baseline uses 0", unit='1/s', minimum=0.0
    )

    advection_alpha: float = ADVECTION(1.0, 'decay', unit='1/s', minimum=0.0)
    advection_c: float = ADVECTION(5.0, 'hops per second', unit='1/s', minimum=0.0)
    advection_d: float = ADVECTION(0.1, 'diffusion', unit='1/s', minimum=0.0)
    advection_s: float = ADVECTION(2.0, 'largest injection', unit='1/s', minimum=0.0)
    advection_kappa: float = ADVECTION(3.0, 'steepness of the injection', minimum=0.0)

    wave_c_sq: float = WAVE(25.0, 'stiffness between agents', unit='1/s^2', minimum=0.0)
    wave_gamma: float = WAVE(2.0, 'damping', unit='1/s', minimum=0.0)
    wave_alpha_q: float = WAVE(1.0, 'stiffness towards rest', unit='1/s^2', minimum=0.0)
    wave_s: float = WAVE(2.0, 'largest injection', unit='1/s^2', minimum=0.0)
    wave_kappa: float = WAVE(3.0, 'steepness of the injection', minimum=0.0)
    wave_k_q: float = WAVE(1.0, 'share of the displacement in the signal')
    wave_k_p: float = WAVE(0.3, 'share of the rate in the own signal', unit='s')

    excitable_epsilon: float = EXCITABLE(0.08, 'slowness of the recovery', above=0.0)
    excitable_a: float = EXCITABLE(0.7, 'offset of the recovery', minimum=-1e6, maximum=1e6)
    excitable_b: float = EXCITABLE(0.8, 'slope of the recovery', above=0.0)
    excitable_dv: float = EXCITABLE(30.0, 'diffusion', unit='1/s', minimum=0.0)
    excitable_theta: float = EXCITABLE(0.3, 'error that excites', minimum=0.0)
    excitable_s: float = EXCITABLE(3.0, 'injection per excess of error', unit='1/s', minimum=0.0)
    excitable_kappa_out: float = EXCITABLE(2.0, 'steepness of the signal', minimum=0.0)

    kdv_alpha_nl: float = KDV(2.0, 'steepening', unit='1/s')
    kdv_beta_disp: float = KDV(0.5, 'dispersion', unit='1/s')
    kdv_gamma: float = KDV(1.5, 'decay', unit='1/s', minimum=0.0)
    kdv_s: float = KDV(5.0, 'largest injection', unit='1/s', minimum=0.0)
    kdv_q_max: float = KDV(5.0, 'largest displacement', above=0.0)

    alarm_theta: float = ALARM(0.4, 'error that raises an alarm', minimum=0.0)
    alarm_i_max: float = ALARM(1.0, 'largest intensity', minimum=0.0)
    alarm_ttl_max: int = ALARM(
        20, 'hops or ticks until an alarm ends', minimum=1, maximum=MAX_TICKS
    )
    alarm_lam: float = ALARM(
        0.92, 'share of the intensity left after a hop', minimum=0.0, maximum=1.0
    )
    alarm_refract: int = ALARM(15, 'ticks between two own alarms', minimum=0, maximum=MAX_TICKS)

    burgers_alpha_nl: float = BURGERS(3.0, 'transport per displacement', unit='1/s')
    burgers_nu: float = BURGERS(5.0, 'diffusion', unit='1/s', minimum=0.0)
    burgers_gamma: float = BURGERS(0.8, 'decay', unit='1/s', minimum=0.0)
    burgers_q_max: float = BURGERS(
        2.0, 'scale of the saturation of the transport; 0: none', minimum=0.0
    )
    burgers_q_clamp: float = BURGERS(5.0, 'largest displacement', above=0.0)
    burgers_s: float = BURGERS(2.0, 'largest injection', unit='1/s', minimum=0.0)
    burgers_kappa: float = BURGERS(3.0, 'steepness of the injection', minimum=0.0)

    @property
    def k_in_use(self) -> float:
        """The gain [1/s] of the neighbours' signal; a method without signal has none."""
        return 0.0 if self.propagation_method == 'baseline' else self.propagation_k_prop
