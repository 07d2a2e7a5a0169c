"""Forces, controllers and constraints written in Python, beside the same as formulas and joints."""

import numpy as np
import pytest

import rotula


def agree(one, other, columns, tolerance=1e-6):
    for column in columns:
        np.testing.assert_allclose(one[column], other[column], atol=tolerance, err_msg=column)


def test_a_force_equals_its_formula(pendulum):
    plain = pendulum.copy().add("force", "push", on="rod", at=[0.5, 0, 0], force=["3*t", 0, "sin(5*t)"])
    own = pendulum.copy()

    @own.force("push", on="rod", at=[0.5, 0, 0])
    def push(t, rod):
        return [3 * t, 0, np.sin(5 * t)]

    one, other = plain.run(step=0.002), own.run(step=0.002)
    agree(one, other, ["rod.x", "rod.z", "rod.wy", "hinge.fx"], 1e-7)


def test_a_force_between_bodies_is_a_spring_and_damper(pendulum):
    document = {**pendulum.document, "body": {**pendulum.document["body"], "ball": {"mass": 0.5, "inertia": [1, 1, 1], "at": [1.5, 0, 0]}}}
    plain = rotula.Model(document).add("spring", "link", between=["rod", "ball"], stiffness=40.0, damping=0.5, free_length=1.0)
    own = rotula.Model(document)

    def link(t, a, b):
        offset = b.position - a.position
        length = np.linalg.norm(offset)
        along = offset / length
        pull = (40.0 * (length - 1.0) + 0.5 * along @ (b.velocity - a.velocity)) * along
        return pull, -pull

    own.force("link", on=["rod", "ball"], function=link)
    one, other = plain.run(until=0.5, step=0.002), own.run(until=0.5, step=0.002)
    agree(one, other, ["rod.x", "rod.z", "ball.x", "ball.z"], 1e-8)


def test_moments_and_shapes_of_results(pendulum):
    runs = []
    for answer in ([0, 0, 0, 0, 0.7, 0], ([0, 0, 0], [0, 0.7, 0]), np.array([[0, 0, 0], [0, 0.7, 0]])):
        model = pendulum.copy()
        model.force("twist", "rod", lambda t, rod, answer=answer: answer)
        runs.append(model.run(until=0.3))
    plain = pendulum.copy().add("force", "twist", on="rod", moment=[0, 0.7, 0]).run(until=0.3)
    for run in runs:
        agree(run, plain, ["hinge.angle"])


def test_motions_are_in_world_axes(pendulum):
    seen = {}

    def look(t, rod):
        seen[t] = (rod.position, rod.velocity, rod.rotation, rod.angular_velocity)
        return [0, 0, 0]

    model = pendulum.copy()
    model.force("look", "rod", look, at=[0.5, 0, 0])
    run = model.run(until=0.5, step=0.01)
    position, velocity, rotation, spin = seen[max(seen)]
    angle = run["hinge.angle"][-1]
    np.testing.assert_allclose(position, [np.cos(angle), 0, -np.sin(angle)], atol=1e-4)
    np.testing.assert_allclose(rotation[:, 0], position, atol=1e-4)
    np.testing.assert_allclose(velocity, np.cross(spin, position), atol=1e-4)


@pytest.mark.parametrize("slopes", [None, lambda t, angle, rate, target: (0, -40, -4, 40)])
def test_a_controller_equals_its_formula(pendulum, slopes):
    load = {"on": "rod", "moment": [0, "command", 0]}
    plain = pendulum.copy().add("variable", "target", "0.3*sin(2*t)").add("force", "motor", **load)
    plain.add("variable", "command", "40*(target - hinge.angle) - 4*hinge.angle_velocity")
    own = pendulum.copy().add("variable", "target", "0.3*sin(2*t)").add("force", "motor", **load)
    inputs = ["t", "hinge.angle", "hinge.angle_velocity", "target"]

    @own.variable("command", of=inputs, slopes=slopes)
    def command(t, angle, rate, target):
        return 40 * (target - angle) - 4 * rate

    one, other = plain.run(step=0.002), own.run(step=0.002)
    agree(one, other, ["hinge.angle", "command", "hinge.fx"], 1e-7)
    assert np.ptp(one["command"]) > 1


def test_a_constraint_equals_the_joint():
    document = {
        "gravity": [0, 0, -9.81],
        "body": {"ball": {"mass": 2.0, "inertia": [0.1, 0.2, 0.3], "at": [1, 0, 0]}},
        "solve": {"until": 0.65, "step": 0.004},
    }
    plain = rotula.Model(document).add("joint", "rod", distance={"between": ["ground", "ball"], "length": 1.0})
    own = rotula.Model(document)

    @own.constraint("rod", on=["ground", "ball"])
    def rod(t, ground, ball):
        return np.linalg.norm(ball.position - ground.position) - 1.0

    one, other = plain.run(), own.run()
    agree(one, other, ["ball.x", "ball.z", "ball.vx", "ball.vz"], 1e-8)
    # at the lowest point of a quarter circle the rod carries three weights
    lowest = np.argmin(other["ball.z"])
    assert abs(other["rod.effort"][lowest]) == pytest.approx(3 * 2.0 * 9.81, rel=2e-3)
    assert other.summary["audit"]["position_residual"] < 1e-8


def test_a_constraint_may_move_and_have_rows():
    model = rotula.Model(
        body={"ball": {"mass": 2.0, "inertia": [0.1, 0.2, 0.3], "at": [1, 0, 0]}},
        solve={"until": 1.0, "tolerance": 1e-7, "initial": "project-velocities"},
    )

    @model.constraint("rail", on="ball", rows=2)
    def rail(t, ball):
        x, y, z = ball.position
        return [x - np.cos(3 * t), y - np.sin(3 * t)]

    run = model.run()
    np.testing.assert_allclose(run["ball.x"], np.cos(3 * run.t), atol=1e-7)
    np.testing.assert_allclose(run["ball.vy"], 3 * np.cos(3 * run.t), atol=1e-6)
    # towards the centre, m ω² r
    force = np.hypot(run["rail.effort"], run["rail.effort_2"])
    np.testing.assert_allclose(force[1:], 2.0 * 9.0, rtol=1e-3)


def test_exceptions_in_functions_come_through(pendulum):
    def broken(t, rod):
        if t > 0.2:
            raise ZeroDivisionError("on purpose")
        return [0, 0, 0]

    model = pendulum.copy()
    model.force("broken", "rod", broken)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError, match="on purpose"):
            model.run()


@pytest.mark.parametrize(
    ("add", "words"),
    [
        (lambda model: model.force("f", "rod", lambda t, rod: 3), "force `f`: the function must return a force of three numbers"),
        (lambda model: model.force("f", "rod", lambda t: [0, 0, 0]), "positional argument"),
        (lambda model: model.force("f", ["rod", "ground"], lambda t, a, b: [[0, 0, 0]]), "must return 2 forces"),
        (lambda model: model.constraint("c", "rod", lambda t, rod: rod.velocity[0]), "a constraint is a function of positions"),
        (lambda model: model.constraint("c", "rod", lambda t, rod: [0, 0]), "as many numbers as `rows` says, 1, not 2"),
        (lambda model: model.variable("v", "t", lambda t: "no"), "variable `v`: the function must return a number"),
    ],
)
def test_functions_that_give_nonsense(pendulum, add, words):
    model = pendulum.copy()
    add(model)
    with pytest.raises((TypeError, ValueError, AttributeError), match=words):
        model.run()


@pytest.mark.parametrize(
    ("add", "words"),
    [
        (lambda model: model.force("f", "rad", print), "did you mean `rod`"),
        (lambda model: model.force("f", "rod", print, at=[1, 2]), "three numbers"),
        (lambda model: model.force("f", [], print), "name at least one body"),
        (lambda model: model.force("f", "rod", print, length=0), "must be positive"),
        (lambda model: model.variable("v", "hinge.angel", print), "hinge.angel"),
        (lambda model: model.constraint("c", "rod", print, rows=0), "equations"),
    ],
)
def test_functions_on_nothing(pendulum, add, words):
    model = pendulum.copy()
    with pytest.raises(rotula.InputError, match=words):
        add(model)
        model.run()


# models of equations


def swing(**more):
    """A pendulum in Cartesian coordinates."""
    sections = {
        "coordinates": {"x": {"at": 1.0, "velocity": 0.0}, "y": {"at": 0.0, "velocity": 0.0}},
        "mass": {"x": 2.0, "y": 2.0},
        "force": {"y": "-2*9.81"},
        "constraint": {"rod": "x^2 + y^2 - 1"},
        "solve": {"until": 2.0, "step": 0.002},
    }
    return rotula.Model({**sections, **more})


def test_a_force_on_coordinates_equals_its_formula():
    plain = swing(force={"x": "-0.3*x'*abs(y') + sin(3*t)", "y": "-2*9.81 - 0.3*y'"})
    own = swing()

    @own.force("drag", on=["x", "y"], of=["t", "x'", "y'"])
    def drag(t, vx, vy):
        return -0.3 * vx * abs(vy) + np.sin(3 * t), -0.3 * vy

    agree(plain.run(), own.run(), ["x", "y", "x'", "lambda.rod"], 1e-8)


def test_a_constraint_of_coordinates_equals_its_formula():
    moving = "x^2 + (y - 0.1*sin(4*t))^2 - 1"
    plain, own = swing(constraint={"rod": moving}), swing(constraint={})
    own.constraint("rod", on=["x", "y"], function=lambda t, x, y: x**2 + (y - 0.1 * np.sin(4 * t)) ** 2 - 1)
    for formulation in ["ggl", "index3", "index2", "soi2", "pva"]:
        one, other = plain.run(formulation=formulation), own.run(formulation=formulation)
        agree(one, other, ["x", "y", "x'", "lambda.rod"], 1e-6)


@pytest.mark.parametrize("slopes", [None, lambda x, v: (-5.0, -0.4)])
def test_a_variable_of_equations_serves_in_all_formulas(slopes):
    parts = {
        "coordinates": {"x": {"at": 1.0, "velocity": 0.0}},
        "mass": {"x": 1.0},
        "force": {"x": "push"},
        "state": {"s": {"at": 0.0, "rate": "push - s"}},
        "output": {"double": "2*push"},
        "solve": {"until": 1.0, "step": 0.001},
    }
    plain = rotula.Model({**parts, "define": {"push": "-5*x - 0.4*x'"}, "output": {"double": "2*push", "push": "push"}})
    own = rotula.Model(parts)
    own.variable("push", of=["x", "x'"], function=lambda x, v: -5 * x - 0.4 * v, slopes=slopes)
    agree(plain.run(), own.run(), ["x", "s", "double", "push"], 1e-9)


def test_what_is_wrong_with_functions_of_equations():
    def nothing(*numbers):
        return 0.0

    for add, message, remedy in [
        (lambda m: m.force("f", "x", nothing), "not said what it is computed from", "of="),
        (lambda m: m.force("f", "z", nothing, of="x"), "no coordinate `z`", "x"),
        (lambda m: m.force("f", "x", nothing, of="x''"), "computed from `x''`", "velocities"),
        (lambda m: m.force("rod", "x", nothing, of="x"), "taken already in \\[constraint\\]", "another name"),
        (lambda m: m.variable("f", "q", nothing), "there is no `q`", "choose one of"),
        (lambda m: m.force("f", "x", nothing, of="x", at=[1, 0, 0]), "`at` belongs to mechanisms", "leave it out"),
        (lambda m: m.constraint("f", "x'", nothing), "computed from `x'`", "time and coordinates"),
    ]:
        model = swing()
        add(model)
        with pytest.raises(rotula.InputError, match=message) as caught:
            model.run()
        assert remedy in caught.value.remedy
    model = swing()
    model.force("f", ["x", "y"], lambda x: 1.0, of="x")
    with pytest.raises(ValueError, match="force `f`: the function must return 2 numbers, not 1"):
        model.run()


def test_forces_of_mechanisms_take_no_names(pendulum):
    model = pendulum.copy()
    model.force("f", "rod", lambda t, rod: [0, 0, 0], of="t")
    with pytest.raises(rotula.InputError, match="`of` belongs to models of equations"):
        model.run()


def test_a_function_that_runs_its_own_model_is_stopped(pendulum):
    own = pendulum.copy()
    own.add("force", "motor", on="rod", moment=[0, "torque", 0])

    @own.variable("torque", of=["t", "hinge.angle"])
    def torque(t, angle):
        own.run(until=0.01)
        return 0.0

    with pytest.raises(RecursionError, match="does a function run its own model"):
        own.run(until=0.1)


def test_a_function_may_run_another_model(pendulum):
    other, own = pendulum.copy(), pendulum.copy()
    own.add("force", "motor", on="rod", moment=[0, "torque", 0])

    @own.variable("torque", of=["t"])
    def torque(t):
        return 0.0 * other.run(until=0.01).t[-1]

    assert own.run(until=0.01, step=0.005).t[-1] == 0.01
