#!/usr/bin/env python3
"""Trees of rigid bodies in MuJoCo, Pinocchio, Drake and Rotula, one after the other on the same machine.

    pip install mujoco pin drake numpy
    python benches/trees.py [--json FILE] [--pictures FOLDER] [NAME ...]

Names are chain1, chain2, chain10, chain50, chain200 (links of 10 cm on skew hinges, dropped from the horizontal), humanoid (30 hinges,
dropped with its pelvis held) and vehicle (a chassis in flight with four double wishbones, each a loop). Programs that are not
installed are left out. Everything integrates one second in one thread; times are processor times, the least of several, without
building the model.

MuJoCo takes steps of the classical Runge-Kutta method, Drake its method of order 3 with error control, Rotula the explicit method of order 8 in
joint coordinates. Errors are those of the tip and, of chains, of the end of the tenth link, against solutions with 13 digits in
minimal coordinates; of the humanoid against Rotula at a tolerance of 1e-13. Ratios compare times at the same error, on
straight lines between the runs of each program in logarithms; where the coarsest run is better than asked, its time counts. Of Rotula
two times are printed: of the integration, which is what the others are measured by, and of the whole run with its start (consistent
positions, choice of coordinates) and its record (reactions of all joints, balances); the first is the second less that of a run that
ends at once. Of Pinocchio, which does not integrate, the time of an evaluation of
accelerations is printed, with the call from Python. The loops of MuJoCo are springs: its vehicle is printed with the gap of its joints.
With `--pictures` errors are drawn over times.
"""
import argparse
import json
import math
import os
import subprocess
import tempfile
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np

from industrial import svg
from tree_models import GRAVITY, mechanism, vehicle

ROOT = Path(__file__).resolve().parent.parent
NAMES = ["chain1", "chain2", "chain10", "chain50", "chain200", "humanoid", "vehicle"]
ERRORS = (1e-4, 1e-6)
TOLERANCES = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11]
STEPS = [2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4]

# Ends of the last and of the tenth link after one second, by minimal coordinates in extended precision.
ENDS = {
    "chain1": [(-0.09028689759151202, 0.0, -0.04299158200508352)],
    "chain2": [(0.15771203246093968, -0.015341394752762503, -0.12006317479080073)],
    "chain10": [(-0.923261840744391, 0.05289164101727012, -0.13960451934398457)],
    "chain50": [(0.6095735734150256, 0.01326989762837955, -4.94142030220733)],
    "chain200": [(18.218941138085572, 0.0, -4.905)],
}


def least(task, seconds=0.5, most=50):
    best, total, count = math.inf, 0.0, 0
    while count < 3 or (total < seconds and count < most):
        clock = time.process_time()
        task()
        spent = time.process_time() - clock
        best, total, count = min(best, spent), total + spent, count + 1
    return best


# ------------------------------------------------------------------ Rotula


def rotula(given, runs, until=1.0):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(given.text())
        file.flush()
        command = ["cargo", "bench", "-q", "-p", "rotula-mechanics", "--bench", "trees", "--", file.name, str(until), *runs]
        text = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


# ------------------------------------------------------------------ MuJoCo


def mujoco_model(given):
    import mujoco

    children = {}
    for k, link in enumerate(given.links):
        children.setdefault(link.parent, []).append(k)
    names = {k: [] for k in range(len(given.links))}
    for number, (k, place) in enumerate(given.points):
        names[k].append((f"point{number}", place))
    for number, (a, place, b, other) in enumerate(given.loops):
        names[a].append((f"one{number}", place))
        names[b].append((f"other{number}", other))

    spec = mujoco.MjSpec()
    spec.option.gravity = GRAVITY
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    bodies = {-1: spec.worldbody}
    order = list(range(len(given.links)))
    for k in order:
        link = given.links[k]
        body = bodies[link.parent].add_body(name=f"b{k}", pos=link.arm)
        body.mass, body.ipos, body.inertia, body.explicitinertial = link.mass, link.centre, link.moments, True
        if link.kind == "free":
            body.add_freejoint()
        elif link.kind == "spherical":
            body.add_joint(type=mujoco.mjtJoint.mjJNT_BALL)
        else:
            body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=link.axis)
        for name, place in names[k]:
            body.add_site(name=name, pos=place)
        bodies[k] = body
    for number in range(len(given.loops)):
        spec.add_equality(
            type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_SITE, name1=f"one{number}", name2=f"other{number}"
        )
    spec.option.disableflags = int(mujoco.mjtDisableBit.mjDSBL_CONTACT) | int(mujoco.mjtDisableBit.mjDSBL_SENSOR)
    if not given.loops:
        spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    return spec.compile()


def mujoco_runs(given):
    import mujoco

    model = mujoco_model(given)
    data = mujoco.MjData(model)
    runs = []
    for h in STEPS:
        model.opt.timestep = h
        count = round(1 / h)

        def run():
            mujoco.mj_step(model, data, count)

        best = math.inf
        for _ in range(20 if len(given.links) <= 50 else 3):
            mujoco.mj_resetData(model, data)
            if given.loops:
                data.qvel[:3] = 0.0
                data.qvel[3:6] = given.spin
            clock = time.process_time()
            run()
            best = min(best, time.process_time() - clock)
        mujoco.mj_forward(model, data)
        points = [tuple(data.site(f"point{k}").xpos) for k in range(len(given.points))]
        gaps = [math.dist(data.site(f"one{k}").xpos, data.site(f"other{k}").xpos) for k in range(len(given.loops))]
        each = best / count / 4 / len(given.links) * 1e9
        runs.append({"run": f"rk4 {h:g}", "ms": best * 1e3, "points": points, "each": each, "gap": max(gaps, default=0.0)})
    return runs


# ------------------------------------------------------------------ Drake


def drake_runs(given):
    from pydrake.all import (
        FixedOffsetFrame,
        MultibodyPlant,
        ResetIntegratorFromFlags,
        RevoluteJoint,
        RigidTransform,
        RotationalInertia,
        Simulator,
        SpatialInertia,
    )

    plant, bodies = MultibodyPlant(0.0), []
    for k, link in enumerate(given.links):
        inertia = SpatialInertia.MakeFromCentralInertia(link.mass, link.centre, RotationalInertia(*link.moments))
        body = plant.AddRigidBody(f"b{k}", inertia)
        below = plant.world_body() if link.parent < 0 else bodies[link.parent]
        frame = plant.AddFrame(FixedOffsetFrame(f"f{k}", below.body_frame(), RigidTransform(link.arm)))
        plant.AddJoint(RevoluteJoint(f"j{k}", frame, body.body_frame(), np.array(link.axis)))
        bodies.append(body)
    plant.Finalize()
    runs = []
    for accuracy in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7):
        best = math.inf
        for _ in range(3 if len(given.links) < 50 else 1):
            simulator = Simulator(plant)
            ResetIntegratorFromFlags(simulator, "runge_kutta3", 0.1)
            integrator = simulator.get_mutable_integrator()
            integrator.set_fixed_step_mode(False)
            integrator.set_target_accuracy(accuracy)
            integrator.set_maximum_step_size(0.1)
            simulator.Initialize()
            clock = time.process_time()
            simulator.AdvanceTo(1.0)
            best = min(best, time.process_time() - clock)
        places = [plant.EvalBodyPoseInWorld(simulator.get_context(), bodies[k]) for k, _ in given.points]
        points = [tuple(pose.multiply(np.array(at, float))) for pose, (_, at) in zip(places, given.points)]
        each = best / integrator.get_num_derivative_evaluations() / len(given.links) * 1e9
        runs.append({"run": f"rk3 {accuracy:g}", "ms": best * 1e3, "points": points, "each": each})
    return runs


# ------------------------------------------------------------------ Pinocchio


def pinocchio_evaluation(given):
    """Nanoseconds per joint of an evaluation of accelerations, the call from Python included."""
    import pinocchio as pin

    model, ids = pin.Model(), []
    for k, link in enumerate(given.links):
        below = ids[link.parent] if link.parent >= 0 else 0
        joint = pin.JointModelRevoluteUnaligned(np.array(link.axis))
        ids.append(model.addJoint(below, joint, pin.SE3(np.eye(3), link.arm), f"j{k}"))
        inertia = pin.Inertia(link.mass, link.centre, np.diag(link.moments))
        model.appendBodyToJoint(ids[-1], inertia, pin.SE3.Identity())
    data, n = model.createData(), len(given.links)
    q, v, zero = np.linspace(-0.3, 0.4, n), np.linspace(-1, 1, n), np.zeros(n)
    count = 2000 if n < 100 else 300

    def evaluations():
        for _ in range(count):
            pin.aba(model, data, q, v, zero, pin.Convention.WORLD)

    return least(evaluations) / count / n * 1e9


# ------------------------------------------------------------------ the comparison


def with_errors(runs, ends):
    for run in runs:
        run["errors"] = [math.dist(own, end) for own, end in zip(run["points"], ends)]
        run["error"] = max(run["errors"])
    return runs


def time_at(runs, error, key="ms"):
    """The time at an error, and whether a run is that coarse; none if no run is that exact."""
    front, best = [], math.inf
    for run in sorted(runs, key=lambda run: run[key]):
        if math.isfinite(run["error"]) and run["error"] < best:
            best = run["error"]
            front.append((run[key], max(best, 1e-16)))
    if not front or front[-1][1] > error:
        return math.nan, True
    if front[0][1] <= error:
        return front[0][0], False
    for (t0, e0), (t1, e1) in zip(front, front[1:]):
        if e1 <= error:
            part = math.log(e0 / error) / math.log(e0 / e1)
            return math.exp(math.log(t0) + part * math.log(t1 / t0)), True
    raise AssertionError("the last is exact enough")


def attempt(task, *given):
    try:
        return task(*given)
    except ImportError as error:
        print(f"    left out: {error}")
        return []


def tree(name):
    given = mechanism(name)
    runs = [f"explicit@{tolerance:g}@joint" for tolerance in TOLERANCES]
    own = rotula(given, runs)
    for run in own:
        run["integration"] = max(run["ms"] - run["start"], 1e-9)
        run["each"] = run["integration"] / run["evaluations"] / len(given.links) * 1e6
    ends = ENDS.get(name, [])
    if len(ends) < len(given.points):
        exact = rotula(given, ["explicit@1e-13@joint"])[0]["points"]
        ends = list(ends) + [tuple(point) for point in exact[len(ends) :]]
    found = {"Rotula": with_errors(own, ends)}
    found["MuJoCo"] = with_errors(attempt(mujoco_runs, given), ends)
    found["Drake"] = with_errors(attempt(drake_runs, given), ends) if len(given.links) <= 50 else []
    pinocchio = attempt(pinocchio_evaluation, given)
    for program, runs in found.items():
        for run in runs:
            errors = "  ".join(f"{error:.1e}" for error in run["errors"])
            start = f", start {run['start']:.4f} ms" if "start" in run else ""
            took = run.get("integration", run["ms"])
            print(f"  {program:7} {run['run']:22} {took:9.4f} ms, errors {errors}, {run['each']:6.0f} ns per joint and evaluation{start}")
    if pinocchio:
        print(f"  Pinocchio aba: {pinocchio:.0f} ns per joint and evaluation")
    ratios = {}
    for error in ERRORS:
        peer, reached = time_at(found["MuJoCo"], error)
        integration, _ = time_at(own, error, "integration")
        whole, _ = time_at(own, error)
        other, _ = time_at(found["Drake"], error)
        ratios[f"{error:g}"] = {
            "MuJoCo": peer,
            "coarsest": not reached,
            "Rotula": integration,
            "whole": whole,
            "Drake": other,
        }
        mark = "" if reached else " (its coarsest run is better)"
        print(
            f"  at {error:g}: MuJoCo {peer:.4f} ms{mark}, Rotula {integration:.4f} ms, with its start {whole:.4f} ms, Drake {other:.3f} ms; "
            f"MuJoCo : Rotula {peer / integration:.1f}, with the start {peer / whole:.1f}",
            flush=True,
        )
    return {"runs": found, "pinocchio": pinocchio or None, "ratios": ratios}


def loops():
    """The vehicle, in joint coordinates with cut loops and in redundant ones."""
    given = vehicle()
    runs = [f"explicit@{tolerance:g}@joint" for tolerance in TOLERANCES[:8]]
    runs += [f"index3@{h:g}@joint" for h in (1e-2, 5e-3, 2e-3, 1e-3)]
    redundant = [f"index3@{h:g}@redundant" for h in (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4)]
    own = rotula(given, [*runs, *redundant])
    ends = rotula(given, ["explicit@1e-12@joint"])[0]["points"]
    for run in with_errors(own, ends):
        run["integration"] = max(run["ms"] - run["start"], 1e-9)
    peers = with_errors(attempt(mujoco_runs, given), ends)
    for run in own:
        print(
            f"  {run['run']:24} {run['ms']:9.3f} ms, {run['steps']:5} steps, {run['integration'] / run['steps'] * 1e3:6.1f} µs each, "
            f"error {run['error']:.1e}, gap {run['gap']:.1e}"
        )
    for run in peers:
        print(f"  MuJoCo {run['run']:17} {run['ms']:9.3f} ms, error {run['error']:.1e}, gap {run['gap']:.1e}")
    joint = [run for run in own if run["run"].startswith("explicit")]
    usual = [run for run in own if run["run"].endswith("redundant")]
    for error in ERRORS:
        quick, slow = (time_at(runs, error, "integration")[0] for runs in (joint, usual))
        print(f"  at {error:g}: redundant index3 {slow:.2f} ms, explicit in joint coordinates {quick:.2f} ms, ratio {slow / quick:.1f}", flush=True)
    return {"runs": {"Rotula": own, "MuJoCo": peers}}


def draw(folder, found):
    """Errors over times, a picture for each mechanism."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, result in found.items():
        lines = []
        for program, runs in result["runs"].items():
            points = [(run.get("integration", run["ms"]), run["error"]) for run in runs if name != "vehicle"]
            points = [point for point in points if math.isfinite(point[1]) and 1e-12 < point[1] < 1]
            lines += [(program, points)] if points else []
        if lines:
            svg(folder / f"tree_{name}.svg", f"{name}: one second", "processor time, ms", "error of the tip, m", lines, True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--pictures", metavar="FOLDER", type=Path)
    given = parser.parse_args()
    found = {}
    for name in given.names or NAMES:
        print(name, flush=True)
        found[name] = loops() if name == "vehicle" else tree(name)
    if given.json:
        Path(given.json).write_text(json.dumps(found, indent=1))
    if given.pictures:
        draw(given.pictures, found)


if __name__ == "__main__":
    main()
