"""Small motions between inputs and outputs, Campbell diagrams, pictures, comparisons and reductions."""

import numpy as np
import pytest
from conftest import ROOT

import rotula

# a cart of mass M on rails, held by a spring k and a damper c, with a pendulum of a point mass m on a rod without mass
M, m, L, k, c, g = 2.0, 0.5, 0.8, 30.0, 1.5, 9.81


@pytest.fixture
def cart() -> rotula.Model:
    return rotula.Model(
        gravity=[0, 0, -g],
        input={"push": 0},
        body={
            "cart": {"mass": M, "inertia": [0.1, 0.1, 0.1], "at": [0, 0, 0]},
            "bob": {"mass": m, "inertia": [1e-12, 1e-12, 1e-12], "at": [0, 0, -L]},
        },
        joint={
            "rail": {"prismatic": {"between": ["ground", "cart"], "at": [0, 0, 0], "along": "x"}},
            "pin": {"revolute": {"between": ["cart", "bob"], "at": [0, 0, 0], "about": "y"}},
        },
        spring={"coil": {"joint": "rail", "stiffness": k, "damping": c, "free_length": 0}},
        force={"push": {"on": "cart", "force": ["push", 0, 0]}},
        solve={"until": 2.0, "tolerance": 1e-8},
    )


def matrices():
    """Mass, damping and stiffness of place and angle, by hand; the angle about y takes the bob to -x."""
    mass = np.array([[M + m, -m * L], [-m * L, m * L**2]])
    return mass, np.diag([c, 0.0]), np.diag([k, m * g * L])


def by_hand(s):
    """Place, angle, acceleration of the cart and force of the rail's spring, for a unit force."""
    mass, damping, stiffness = matrices()
    x, angle = np.linalg.solve(s**2 * mass + s * damping + stiffness, [1, 0])
    return np.array([x, angle, s * x, -(k + c * s) * x])


def test_a_transfer_function_is_that_of_the_book(cart):
    linear = cart.linearise(["cart.x", "pin.angle", "cart.vx", "coil.force"], inputs="push")
    assert linear.inputs == ["push"] and linear.A.shape == (4, 4) and linear.B.shape == (4, 1)
    assert linear.C.shape == (4, 4) and linear.D.shape == (4, 1)
    f = np.array([0.05, 0.3, 0.55, 1.0, 4.0])
    response = linear.frequency_response(f)
    for row, hertz in zip(response.values[:, :, 0], f, strict=True):
        expected = by_hand(2j * np.pi * hertz)
        np.testing.assert_allclose(row, expected, rtol=1e-7)
    np.testing.assert_array_equal(response["cart.x", "push"], response.values[:, 0, 0])
    # the poles are the modes
    modes = cart.modes().eigenvalues
    np.testing.assert_allclose(np.sort(np.abs(linear.poles))[::2], np.sort(np.abs(modes)), rtol=1e-8)


def test_what_acts_at_once_stands_in_d(cart):
    cart.add("sensor", "shaken", acceleration="cart")
    linear = cart.linearise(["shaken.x", "pin.fy"])
    mass, _, _ = matrices()
    at_once = np.linalg.solve(mass, [1, 0])[0]
    np.testing.assert_allclose(linear.D[0, 0], at_once, rtol=1e-8)
    s = 3.0 + 2.0j
    x = by_hand(s)[0]
    np.testing.assert_allclose(linear.transfer(s)[0, 0], s**2 * x, rtol=1e-7)
    # the pin accelerates the bob, along the second axis of the joint: by m (x - L angle)''
    place, angle, *_ = by_hand(s)
    np.testing.assert_allclose(linear.transfer(s)[1, 0], m * s**2 * (place - L * angle), rtol=1e-6)


def test_linear_equations_follow_the_run(cart):
    from scipy import signal

    linear = cart.linearise(["cart.x", "pin.angle"])
    simulation = cart.start(tolerance=1e-10)
    push, step = 1e-3, 0.01
    t, places = [0.0], [[0.0, 0.0]]
    while simulation.t < 2 - 1e-9:
        simulation["push"] = push
        simulation.step(step)
        t.append(simulation.t)
        places.append([simulation["cart.x"], simulation["pin.angle"]])
    _, expected, _ = signal.lsim(linear.to_scipy(), np.full(len(t), push), t)
    size = np.abs(expected).max(axis=0)
    assert (np.abs(np.array(places) - expected).max(axis=0) < 1e-5 * size).all()


def test_inputs_that_prescribe_motions_and_unknown_names_are_refused(cart):
    with pytest.raises(KeyError, match="cart.x"):
        cart.linearise("cart.xx")
    with pytest.raises(KeyError, match="push"):
        cart.linearise("cart.x", inputs="pusch")
    follower = rotula.Model(
        input={"where": 0.0},
        body={"slider": {"mass": 1.0, "inertia": [1, 1, 1], "at": [0, 0, 0]}},
        joint={"rail": {"prismatic": {"between": ["ground", "slider"], "at": [0, 0, 0], "along": "x"}}},
        motion={"follow": {"joint": "rail", "displacement": "where", "within": 0.1}},
        solve={"until": 1.0},
    )
    with pytest.raises(rotula.SimulationFailed, match="`where` prescribes a motion"):
        follower.linearise("slider.x")


def test_equations_have_inputs_too():
    model = rotula.Model(
        input={"u": 0.0},
        coordinates={"x": {"at": 0, "velocity": 0}},
        mass={"x": 2.0},
        force={"x": "u - 8*x - x'"},
        output={"twice": "2*x"},
        solve={"until": 1.0},
    )
    linear = model.linearise("twice")
    s = 1.0 + 3.0j
    np.testing.assert_allclose(linear.transfer(s), [[2 / (2 * s**2 + s + 8)]], rtol=1e-9)


def test_a_campbell_diagram_is_that_of_the_modes():
    model = rotula.load(ROOT / "examples/models/turning_blade.toml")
    found = model.campbell("parameters.speed", [6.0, 12.0], modes=2)
    assert found.frequencies.shape == (2, 2) and found.doubts == []
    np.testing.assert_allclose(found.speeds, [6.0, 12.0], rtol=1e-9)
    modes = model.modes(about="turn")
    swings = np.sort(modes.frequencies[modes.frequencies > 0])[:2]
    np.testing.assert_allclose(found.frequencies[0], swings, rtol=1e-9)
    # flapping of Hodges and Rutkowski (1981) at 12, in rad/s
    np.testing.assert_allclose(2 * np.pi * found.frequencies[1, 0], 13.1702, rtol=2e-3)
    frame = found.to_pandas()
    assert frame.attrs["units"]["frequency 1"] == "Hz" and list(frame["parameters.speed"]) == [6.0, 12.0]


def test_pictures(pendulum, tmp_path, oscillator):
    drawing = pendulum.draw(view="xz")
    assert drawing.svg.startswith("<svg") and drawing._repr_svg_() == drawing.svg
    assert pendulum.draw(time=0.5).svg != drawing.svg
    drawing.save(tmp_path / "pendulum.svg")
    assert (tmp_path / "pendulum.svg").read_text(encoding="utf-8") == drawing.svg
    with pytest.raises(ValueError, match="after the start"):
        pendulum.draw(time=-1)
    with pytest.raises(ValueError, match="oblique"):
        pendulum.draw(view="above")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no shape"):
        oscillator.draw()


def test_verify_is_a_run_and_a_stricter_one(pendulum):
    verification = pendulum.verify(tolerance=1e-6)
    assert verification.data["stricter"]["from"] == 1e-6 and verification["hinge.angle"]["digits"] >= 3


def test_runs_and_directories_are_compared(pendulum, tmp_path):
    rough, fine = pendulum.run(tolerance=1e-4), pendulum.run(tolerance=1e-9, output_every=0.005)
    comparison = rotula.compare(fine, rough)
    row = comparison["hinge.angle"]
    gap = np.abs(np.interp(fine.t, rough.t, rough["hinge.angle"]) - fine["hinge.angle"])
    assert row["difference"] == gap.max() > 0 and row["time"] == fine.t[gap.argmax()]
    assert comparison.uncompared == [] and "hinge.angle" in comparison.to_pandas().index
    assert rotula.compare(fine, fine)["hinge.angle"]["relative"] == 0
    for name, run in (("one", fine), ("other", rough)):
        run.write(tmp_path / name)
    again = rotula.compare(tmp_path / "one", tmp_path / "other")
    np.testing.assert_allclose(again["hinge.angle"]["difference"], row["difference"], rtol=1e-9)
    again.save(tmp_path / "both.html")
    assert '"beside":' in (tmp_path / "both.html").read_text(encoding="utf-8")


def test_meshes_are_reduced(tmp_path):
    fork = ROOT / "examples/models/fork.inp"
    wanted = {"stem": "STEM", "left": "LEFT", "right": "RIGHT"}
    found = rotula.reduce(fork, tmp_path / "fork.flex", interfaces=wanted, modes=4, damping=0.01)
    # 36 cells of 20 mm by 20 mm by 12 mm of steel
    np.testing.assert_allclose(found.mass, 36 * 0.02 * 0.02 * 0.012 * 7850, rtol=1e-9)
    assert found.path.endswith("fork.flex") and (np.diff(found.frequencies) >= 0).all() and found.cut_off > 0
    model = rotula.Model(
        gravity=[0, 0, -9.81],
        flexible={"fork": {"from": str(tmp_path / "fork.flex")}},
        joint={"clamp": {"fixed": {"between": ["ground", "fork.stem"], "at": [0, 0, 0]}}},
        solve={"until": 0.01},
    )
    # on the second body: the clamp carries the fork
    np.testing.assert_allclose(model.statics()["clamp.fz"], found.mass * 9.81, rtol=1e-6)
    with pytest.raises(rotula.InputError, match="method"):
        rotula.reduce(fork, tmp_path / "no.flex", interfaces=wanted, method="magic")  # type: ignore[arg-type]
    with pytest.raises(rotula.InputError, match="not needed"):
        rotula.reduce(fork, tmp_path / "no.flex", interfaces=wanted, material=(2.1e11, 0.3, 7850.0))
    with pytest.raises(rotula.InputError, match="NOWHERE") as caught:
        rotula.reduce(fork, tmp_path / "no.flex", interfaces={"stem": "NOWHERE"})
    assert caught.value.file is not None and caught.value.file.endswith("fork.inp")
    assert not (tmp_path / "no.flex").exists()
