"""Makes swing.csv: a pendulum integrated by SciPy from its formula, measured with noise and in steps of an encoder.

Length 0.62 m, friction 0.004 N m s, drag 0.009 N m s², start 1.2 rad; mass 0.4 kg and moment of inertia 1e-4 kg m² are known.
"""

from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

LENGTH, FRICTION, DRAG, START = 0.62, 0.004, 0.009, 1.2
inertia = 0.4 * LENGTH**2 + 1e-4


def rates(_: float, state: np.ndarray) -> list[float]:
    angle, rate = state
    return [rate, -(0.4 * 9.81 * LENGTH * np.sin(angle) + FRICTION * rate + DRAG * abs(rate) * rate) / inertia]


t = np.arange(0, 6.0001, 0.02)
angle = solve_ivp(rates, (0, 6.001), [START, 0], t_eval=t, rtol=1e-10, atol=1e-12).y[0]
angle += np.random.default_rng(7).normal(0, 0.002, len(t))
line = 2 * np.pi / 2000
angle = line * np.round(angle / line)
np.savetxt(Path(__file__).with_name("swing.csv"), np.column_stack([t, angle]), "%.5f", ",", header="t,angle", comments="")
