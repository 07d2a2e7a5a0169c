"""The examples for Python give what they promise."""

import importlib.util
import sys

import numpy as np
import pytest
from conftest import ROOT

FOLDER = ROOT / "examples" / "python"


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_a_pole_is_balanced_in_an_environment_of_gymnasium():
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    example = load("cart_pole")
    checker.check_env(example.CartPole(), skip_render_check=True)
    environment = example.CartPole()
    first, _ = environment.reset(seed=3)
    path = [environment.step(k % 2)[0] for k in range(5)]
    again, _ = environment.reset(seed=3)
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(path, [environment.step(k % 2)[0] for k in range(5)])
    assert example.balance(1) == example.CartPole.longest
    # left alone it falls: the environment is no easier than it should be
    environment.reset(seed=1)
    assert any(environment.step(1)[2] for _ in range(100))


def test_a_damper_is_chosen_by_scipy():
    pytest.importorskip("scipy")
    example = load("comfort")
    damper, least = example.best()
    assert least < min(example.discomfort(factor * damper) for factor in (0.7, 1.4))
    assert 200 < damper < 4000


def test_a_pendulum_is_identified_from_measured_angles():
    pytest.importorskip("scipy")
    example = load("identification")
    found, deviation = example.identify()
    # what swing.py measured, by another program
    truth = [0.62, 0.004, 0.009, 1.2]
    assert (np.abs(found - truth) < 4 * deviation).all(), (found, deviation)
    assert deviation[0] < 1e-3
