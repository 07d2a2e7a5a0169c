"""NAME: a driven pendulum that is built, run, swept and written out.

    python NAME.py
"""

import numpy as np
import rotula

model = rotula.Model(
    title="NAME",
    gravity=[0, 0, -9.81],
    body={"rod": {"solid": {"box": [1.0, 0.04, 0.04], "density": 2700}, "at": [0.5, 0, 0]}},
    joint={"hinge": {"revolute": {"between": ["ground", "rod"], "at": [0, 0, 0], "about": "y"}}},
    force={"motor": {"on": "rod", "moment": [0, "torque", 0]}},
    solve={"until": 5.0},
)


@model.variable("torque", of=["t", "hinge.angle", "hinge.angle_velocity"])
def torque(t, angle, rate):
    """A controller that lets the rod swing about the horizontal."""
    return 400 * (0.5 * np.sin(2 * t) - angle) - 40 * rate


run = model.run()
print(f"{len(run.t)} instants until t = {run.t[-1]:g} s")
print(f"largest angle: {np.degrees(np.max(run['hinge.angle'])):.1f} degrees")
run.write("results/NAME")
print("Open results/NAME/report.html in a browser.")
