"""Models that several tests use."""

from pathlib import Path

import matplotlib
import pytest

import rotula

matplotlib.use("Agg")
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def examples() -> Path:
    return ROOT / "examples" / "models"


@pytest.fixture
def pendulum() -> rotula.Model:
    """A rod that hangs from a hinge and starts horizontally."""
    return rotula.Model(
        title="Pendulum",
        gravity=[0, 0, -9.81],
        body={"rod": {"mass": 1.0, "inertia": [1e-4, 1 / 12, 1 / 12], "at": [0.5, 0, 0]}},
        joint={"hinge": {"revolute": {"between": ["ground", "rod"], "at": [0, 0, 0], "about": "y"}}},
        solve={"until": 1.0, "tolerance": 1e-8, "output_every": 0.01},
    )


@pytest.fixture
def oscillator() -> rotula.Model:
    """A mass on a spring, as equations."""
    return rotula.Model(
        title="Oscillator",
        parameters={"m": 1.0, "k": 4.0},
        coordinates={"x": {"at": 1, "velocity": 0}},
        mass={"x": "m"},
        force={"x": "-k*x"},
        energy={"potential": "k*x^2/2"},
        output={"position": "x"},
        solve={"until": 3.0, "step": 0.001, "formulation": "index3"},
    )
