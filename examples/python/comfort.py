"""The damper of a car, chosen by scipy.optimize: as comfortable as it gets while the wheel keeps to the road."""

from pathlib import Path

import numpy as np
from scipy import optimize

import rotula

car = rotula.load(Path(__file__).parents[1] / "models" / "quarter_car.toml")
car.set("parameters.skyhook", 0.0)


def discomfort(damper: float) -> float:
    """Root mean square of the acceleration of the body over a bump, in m/s²."""
    run = car.run(until=3.0, output_every=0.005, set={"parameters.damper": damper})
    return float(np.sqrt(np.mean(run["comfort"] ** 2)))


def best() -> tuple[float, float]:
    """The damper that gives least, and what it gives."""
    found = optimize.minimize_scalar(discomfort, bounds=(200, 4000), method="bounded", options={"xatol": 20})
    return float(found.x), float(found.fun)


if __name__ == "__main__":
    damper, least = best()
    print(f"{damper:.0f} N s/m: {least:.3f} m/s²; with 500: {discomfort(500):.3f}, with 3000: {discomfort(3000):.3f}")
