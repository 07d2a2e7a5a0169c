"""Checks, assembly, statics, modes and kinematics."""

import numpy as np
import pytest

import rotula


def test_a_check_counts(pendulum):
    check = pendulum.check()
    assert check.degrees_of_freedom == 1
    assert check.sizes["constraints"] == 5
    assert check.first_step["iterations"] >= 1
    assert "1 degrees of freedom" in str(check)


def test_an_equilibrium_hangs(pendulum):
    hanging = pendulum.statics()
    assert hanging["rod.z"] == pytest.approx(-0.5, abs=1e-8)
    # reactions are in the axes of the joint
    assert np.linalg.norm([hanging[f"hinge.f{axis}"] for axis in "xyz"]) == pytest.approx(9.81, rel=1e-6)
    assert hanging.stability == "stable"
    assert "rod" in str(hanging) or "quilibrium" in str(hanging)


def test_modes_swing(pendulum):
    modes = pendulum.modes()
    # a rod about its end: ω² = 3g/2L
    swing = np.sqrt(1.5 * 9.81 / 1.0)
    assert len(modes) == 1
    np.testing.assert_allclose(np.abs(modes.eigenvalues), swing, rtol=1e-6)
    assert modes.frequencies[0] == pytest.approx(swing / (2 * np.pi), rel=1e-6)
    assert modes.shapes.shape[1] == 1
    with pytest.raises(ValueError, match="equilibrium"):
        pendulum.modes(about="anything")


def test_the_lowest_modes_of_a_long_beam():
    def beam(elements):
        return rotula.Model(
            beam={
                "rod": {
                    "to": [1, 0, 0],
                    "start": "ground",
                    "elements": elements,
                    "section": {"rectangle": [0.02, 0.03]},
                    "material": {"young": 2e9, "poisson": 0.3, "density": 2000},
                }
            },
            solve={"until": 1.0},
        )

    lowest = beam(80).modes(count=4)
    assert len(lowest) == 4 and lowest.report["omitted"] == 476
    np.testing.assert_allclose(lowest.frequencies, beam(40).modes().frequencies[:4], rtol=5e-3)
    # (1.8751)² / 2π √(EI / ρA L⁴), a little less because it shears
    slender = 3.5160 / (2 * np.pi) * np.sqrt(2e9 * 0.03 * 0.02**3 / 12 / (2000 * 0.02 * 0.03))
    assert lowest.frequencies[0] == pytest.approx(slender, rel=2e-3)


def test_an_assembly_closes():
    model = rotula.Model(
        body={"ball": {"mass": 2.0, "inertia": [0.1, 0.2, 0.3], "at": [1.2, 0, 0.3]}},
        joint={"rod": {"distance": {"between": ["ground", "ball"], "length": 1.0}}},
        solve={"until": 1.0},
    )
    closed = model.assemble()
    assert np.hypot(closed["ball.x"], closed["ball.z"]) == pytest.approx(1.0, abs=1e-9)
    assert "ball" in str(closed)


def test_a_driven_mechanism(pendulum):
    driven = pendulum.copy().add("motion", "drive", joint="hinge", angle="2*t")
    motion = driven.kinematics(until=1.0, output_every=0.1)
    np.testing.assert_allclose(motion["hinge.angle"], 2 * motion.t, atol=1e-9)
    # the weight of the rod, at its arm
    np.testing.assert_allclose(np.abs(motion["drive.effort"]), np.abs(0.5 * 9.81 * np.cos(2 * motion.t)), rtol=1e-6)
    assert motion.regularity.shape == motion.t.shape
    with pytest.raises(rotula.SimulationFailed):
        pendulum.kinematics()


def test_analyses_need_no_end_time():
    model = rotula.Model(
        beam={
            "rod": {
                "to": [1, 0, 0],
                "start": "ground",
                "section": {"rectangle": [0.02, 0.03]},
                "material": {"young": 2e9, "poisson": 0.3, "density": 2000},
            }
        },
    )
    assert model.check().first_step is None
    assert model.statics().stability == "stable"
    with pytest.raises(rotula.InputError, match="how long"):
        model.run()
    assert model.run(until=0.01).t[-1] == pytest.approx(0.01)
