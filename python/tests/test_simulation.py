"""Runs that go on step by step."""

import math

import numpy as np
import pytest

import rotula

PENDULUM = """
gravity = [0, 0, -9.81]
[input]
torque = 0
[body.rod]
mass = 1
inertia = [1e-4, 0.0833, 0.0833]
at = [0.5, 0, 0]
[joint.pin]
revolute = { between = ["ground", "rod"], at = [0, 0, 0], about = "y" }
[force.motor]
on = "rod"
moment = [0, "torque", 0]
[solve]
formulation = "ggl"
step = 1e-3
until = 1
"""

EQUATIONS = """
[input]
push = 0
[coordinates]
x = { at = 0.5, velocity = 0 }
[mass]
x = 2
[force]
x = "push - 8*x"
[solve]
tolerance = 1e-9
until = 2
"""


def test_steps_are_those_of_a_run():
    model = rotula.loads(PENDULUM)
    run = model.run()
    simulation = model.start()
    while not simulation.done:
        simulation.step()
    assert simulation.t == 1
    found = simulation.finish()
    assert np.array_equal(found["pin.angle"], run["pin.angle"])
    assert np.array_equal(found["pin.fx"], run["pin.fx"])
    with pytest.raises(RuntimeError, match="finished"):
        simulation.step()


def test_an_input_moves_the_model_and_is_recorded():
    model = rotula.loads(PENDULUM)
    simulation = model.start()
    assert simulation.inputs == {"torque": 0.0}
    # holds the rod level, where gravity pulls with m g L/2 about y
    simulation["torque"] = -9.81 / 2
    simulation.step(0.5)
    assert simulation.t == 0.5
    assert abs(simulation["pin.angle"]) < 1e-12
    assert simulation["torque"] == -9.81 / 2
    force = math.hypot(*(simulation[f"pin.f{axis}"] for axis in "xyz"))
    assert force == pytest.approx(9.81, rel=1e-9)
    simulation["torque"] = 0
    simulation.step(0.25)
    assert abs(simulation["pin.angle"]) > 0.1
    run = simulation.finish()
    assert set(np.unique(run["torque"])) == {0.0, -9.81 / 2}


def test_equations_have_inputs_too():
    simulation = rotula.loads(EQUATIONS).start()
    simulation.advance_to(0.3)
    assert simulation["x"] == pytest.approx(0.5 * math.cos(2 * 0.3), abs=1e-6)
    x, v = simulation["x"], simulation["x'"]
    simulation["push"] = 4.0
    simulation.advance_to(1.1)
    # about the new place of rest, 4 / 8
    expected = 0.5 + (x - 0.5) * math.cos(2 * 0.8) + v / 2 * math.sin(2 * 0.8)
    assert simulation["x"] == pytest.approx(expected, abs=1e-6)


def test_a_sampled_controller_against_its_closed_form():
    # x'' = u / 2 - 4 x with u held over each sample: exact steps of a linear system
    h, gain = 0.05, 3.0
    simulation = rotula.loads(EQUATIONS).start()
    x, v = 0.5, 0.0
    for _ in range(30):
        u = -gain * simulation["x'"]
        simulation["push"] = u
        simulation.step(h)
        rest = (-gain * v) / 8
        x, v = (
            rest + (x - rest) * math.cos(2 * h) + v / 2 * math.sin(2 * h),
            v * math.cos(2 * h) - 2 * (x - rest) * math.sin(2 * h),
        )
    assert simulation["x"] == pytest.approx(x, abs=1e-5)


def test_snapshots_bring_back_everything():
    model = rotula.loads(PENDULUM)
    simulation = model.start()
    simulation["torque"] = 1.5
    simulation.advance_to(0.2)
    saved = simulation.snapshot()
    assert saved.t == simulation.t
    simulation["torque"] = -3
    simulation.advance_to(0.6)
    elsewhere = simulation["pin.angle"]
    simulation.restore(saved)
    assert simulation.t == 0.2 and simulation.inputs == {"torque": 1.5}
    simulation.advance_to(0.6)
    first = simulation["pin.angle"]
    assert first != elsewhere
    simulation.restore(saved)
    simulation.advance_to(0.6)
    assert simulation["pin.angle"] == first


def test_mistakes_are_answered():
    simulation = rotula.loads(PENDULUM).start()
    with pytest.raises(KeyError, match="no input `torqe`.*torque"):
        simulation["torqe"] = 1
    with pytest.raises(KeyError, match="no curve `pin.angel`.*pin.angle"):
        simulation["pin.angel"]
    with pytest.raises(ValueError, match="leads nowhere"):
        simulation.step(-0.1)
    with pytest.raises(ValueError, match="forward only"):
        simulation.step(0.1)
        simulation.advance_to(0.05)
    with pytest.raises(ValueError, match="cannot be NaN"):
        simulation["torque"] = math.nan
    with pytest.raises(rotula.InputError, match="torque.*taken"):
        rotula.loads(PENDULUM + "[variable]\ntorque = 1\n")


def test_a_function_may_be_part_of_it():
    model = rotula.loads(PENDULUM)
    calls = []

    @model.variable("seen", of="pin.angle")
    def seen(angle):
        calls.append(angle)
        if angle > 0.05:
            raise RuntimeError("too far")
        return angle

    simulation = model.start()
    with pytest.raises(RuntimeError, match="too far"):
        simulation.advance_to(1)
    assert calls
