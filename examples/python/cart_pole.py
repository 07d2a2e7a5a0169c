"""A pole balanced on a cart, as an environment of Gymnasium: the run goes on step by step, and a snapshot brings it back."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

import rotula

MODEL = rotula.Model(
    title="Cart with a pole",
    gravity=[0, 0, -9.81],
    input={"push": 0},
    body={
        "cart": {"solid": {"box": [0.4, 0.2, 0.1], "density": 125}, "at": [0, 0, 0]},
        "pole": {"solid": {"cylinder": {"radius": 0.02, "length": 1.0}, "density": 80}, "at": [0, 0, 0.5]},
    },
    joint={
        "rail": {"prismatic": {"between": ["ground", "cart"], "at": [0, 0, 0], "along": "x"}},
        "pin": {"revolute": {"between": ["cart", "pole"], "at": [0, 0, 0], "about": "y"}},
    },
    force={"motor": {"on": "cart", "force": ["push", 0, 0]}},
    solve={"until": 1000.0, "tolerance": 1e-6},
)


class CartPole(gymnasium.Env[NDArray[np.float32], int]):
    """Push the cart to the left or to the right so that the pole stays up.

    What is seen is the place and speed of the cart, and the angle and its rate of the pole.
    """

    seen = ["rail.displacement", "rail.displacement_velocity", "pin.angle", "pin.angle_velocity"]
    force, period, longest = 10.0, 0.02, 500

    def __init__(self) -> None:
        limits = np.array([4.8, np.inf, 0.42, np.inf], dtype=np.float32)
        self.observation_space = gymnasium.spaces.Box(-limits, limits)
        self.action_space = gymnasium.spaces.Discrete(2)
        self.simulation = MODEL.start()
        self.upright = self.simulation.snapshot()
        self.steps = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Back to the upright pole, which a random push then leaves a little inclined."""
        super().reset(seed=seed)
        self.simulation.restore(self.upright)
        self.simulation["push"] = self.np_random.uniform(-4, 4)
        self.simulation.step(self.period)
        self.steps = 0
        return self.look(), {}

    def step(self, action: int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """One period with the force to the right (1) or to the left (0)."""
        self.simulation["push"] = self.force if action == 1 else -self.force
        self.simulation.step(self.period)
        self.steps += 1
        observation = self.look()
        fallen = bool(abs(observation[0]) > 2.4 or abs(observation[2]) > 0.21)
        return observation, 1.0, fallen, self.steps >= self.longest, {}

    def look(self) -> NDArray[np.float32]:
        """What is seen now."""
        return np.array([self.simulation[name] for name in self.seen], dtype=np.float32)


def balance(seed: int) -> float:
    """A policy by hand: push to where the pole falls. Returns for how many periods it stayed up."""
    environment = CartPole()
    observation, _ = environment.reset(seed=seed)
    total, done = 0.0, False
    while not done:
        place, speed, angle, rate = observation
        action = int(12 * angle + 2 * rate + 0.3 * place + 0.6 * speed > 0)
        observation, reward, fallen, late, _ = environment.step(action)
        total += reward
        done = fallen or late
    return total


if __name__ == "__main__":
    print("periods upright:", [balance(seed) for seed in range(5)])
