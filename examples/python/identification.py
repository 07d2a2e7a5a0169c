"""Length, friction and drag of a pendulum, found from measured angles by least squares.

`swing.csv` holds times and angles as an encoder of 2000 lines with some noise would give them.
"""

from pathlib import Path

import numpy as np
from scipy import optimize

import rotula

pendulum = rotula.loads("""
gravity = [0, 0, -9.81]

[parameters]
length = 0.5
friction = 0.01
drag = 0.01
start = 1.0

[body.bob]
mass = 0.4
inertia = [1e-4, 1e-4, 1e-4]
at = ["length*sin(start)", 0, "-length*cos(start)"]

[joint.pin]
revolute = { between = ["ground", "bob"], at = [0, 0, 0], about = "y" }
torque = "-friction*pin.angle_velocity - drag*abs(pin.angle_velocity)*pin.angle_velocity"

[solve]
until = 6
tolerance = 1e-7
""")

NAMES = ["length", "friction", "drag", "start"]


def measured() -> tuple[np.ndarray, np.ndarray]:
    """Times, and angles from the lowest place."""
    table = np.loadtxt(Path(__file__).with_name("swing.csv"), delimiter=",", skiprows=1)
    return table[:, 0], table[:, 1]


def angles(values: np.ndarray, t: np.ndarray) -> np.ndarray:
    """What the model says at these times; the joint counts from the start, about -y."""
    start = dict(zip(NAMES, values, strict=True))["start"]
    run = pendulum.run(set={f"parameters.{name}": value for name, value in zip(NAMES, values, strict=True)}, output_at=t.tolist())
    return start - run["pin.angle"]


def identify() -> tuple[np.ndarray, np.ndarray]:
    """The values that fit best, and their standard deviations."""
    t, angle = measured()
    found = optimize.least_squares(lambda values: angles(values, t) - angle, [0.5, 0.01, 0.01, 1.0], x_scale=[0.5, 0.01, 0.01, 1.0], diff_step=1e-4)
    variance = 2 * found.cost / (len(t) - len(NAMES))
    return found.x, np.sqrt(np.diag(np.linalg.inv(found.jac.T @ found.jac)) * variance)


if __name__ == "__main__":
    for name, value, error in zip(NAMES, *identify(), strict=True):
        print(f"{name:9} {value:.5f} ± {error:.5f}")
