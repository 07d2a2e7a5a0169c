#!/usr/bin/env python3
"""Work and precision of impacts: Rotula beside Siconos' event-driven and time-stepping schemes.

    apt install python3-siconos        # 4.4
    python3 benches/siconos_impacts.py [--program PATH] [--picture FILE.svg]

A mass on a spring, x'' = -w^2 x with w = 2 pi, let go at 1 m, hits a stop at -0.5 m with restitution 0.8 for five
seconds. Between impacts it is on a circle in the plane of phases, so that all instants and the energy have closed
forms. Errors are the largest of the instants of the impacts, and that of the energy at the end, relative to that of the
start. Times are processor times: of the steps alone in Siconos, of the whole program with reading and writing in
Rotula; the smallest of five.

Siconos: `EventDriven` with Lsodar at relative tolerances from 1e-3 to 1e-10, `TimeStepping` with the Moreau-Jean scheme,
theta = 1/2. Rotula: `nonsmooth` with tolerances and with fixed steps (impacts are located), `moreau-jean`.
"""
import argparse
import csv
import os
import resource
import subprocess
import tempfile
import time
from math import acos, pi, sqrt

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ.setdefault(name, "1")

RATE, STOP, RESTITUTION, UNTIL = 2 * pi, -0.5, 0.8, 5.0
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REPEATS = 5


def exact():
    """Instants of all impacts, and the energy at the end."""
    amplitude, at, instants = 1.0, acos(STOP) / RATE, []
    while at < UNTIL:
        instants.append(at)
        speed = RESTITUTION * RATE * sqrt(amplitude**2 - STOP**2)
        amplitude = sqrt(STOP**2 + (speed / RATE) ** 2)
        at += 2 * acos(STOP / amplitude) / RATE
    return instants, 0.5 * (RATE * amplitude) ** 2


def errors(instants, energy):
    right, left = exact()
    if len(instants) != len(right):
        return float("nan"), abs(energy - left) / (0.5 * RATE**2)
    late = max(abs(a - b) for a, b in zip(instants, right))
    return late, abs(energy - left) / (0.5 * RATE**2)


def siconos_model(kernel, np):
    body = kernel.LagrangianLinearTIDS([1.0], [0.0], np.eye(1))
    body.setKPtr(np.array([[RATE**2]]))
    law = kernel.NewtonImpactNSL(RESTITUTION)
    relation = kernel.LagrangianLinearTIR(np.eye(1), [-STOP])
    interaction = kernel.Interaction(law, relation)
    model = kernel.NonSmoothDynamicalSystem(0, UNTIL)
    model.insertDynamicalSystem(body)
    model.link(interaction, body)
    return model, body, interaction


def siconos_stepping(kernel, np, step):
    model, body, interaction = siconos_model(kernel, np)
    osi = kernel.MoreauJeanOSI(0.5)
    simulation = kernel.TimeStepping(
        model, kernel.TimeDiscretisation(0, step), osi, kernel.LCP()
    )
    instants, started = [], time.process_time()
    while simulation.hasNextEvent():
        before = body.velocity()[0]
        simulation.computeOneStep()
        if interaction.lambda_(1)[0] > 0 and before < 0:
            instants.append(simulation.nextTime())
        simulation.nextStep()
    spent = time.process_time() - started
    x, v = body.q()[0], body.velocity()[0]
    return spent, instants, 0.5 * (v * v + (RATE * x) ** 2)


def siconos_events(kernel, np, tolerance):
    model, body, _ = siconos_model(kernel, np)
    osi = kernel.LsodarOSI()
    simulation = kernel.EventDriven(model, kernel.TimeDiscretisation(0, UNTIL / 50))
    simulation.insertIntegrator(osi)
    simulation.insertNonSmoothProblem(kernel.LCP(), kernel.SICONOS_OSNSP_ED_IMPACT)
    simulation.insertNonSmoothProblem(kernel.LCP(), kernel.SICONOS_OSNSP_ED_SMOOTH_ACC)
    simulation.initialize()
    osi.setTol(1, tolerance, tolerance)
    instants, started = [], time.process_time()
    events = simulation.eventsManager()
    while simulation.hasNextEvent():
        simulation.advanceToEvent()
        simulation.processEvents()
        if events.currentEvent().getType() == 2:
            instants.append(simulation.startingTime())
    spent = time.process_time() - started
    x, v = body.q()[0], body.velocity()[0]
    return spent, instants, 0.5 * (v * v + (RATE * x) ** 2)


MODEL = f"""[coordinates]
x = {{ at = 1, velocity = 0 }}
[mass]
x = 1
[force]
x = "-{RATE!r}^2*x"
[gap]
stop = {{ gap = "x - {STOP}", restitution = {RESTITUTION} }}
[solve]
until = {UNTIL}
output_every = {UNTIL}
"""


def rotula(program, solve):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.toml")
        with open(path, "w") as file:
            file.write(MODEL + solve)
        command = [program, "run", path, "-o", os.path.join(folder, "out")]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        with open(os.path.join(folder, "out", "events.csv")) as file:
            instants = [float(row["t"]) for row in csv.DictReader(file)]
        with open(os.path.join(folder, "out", "trajectory.csv")) as file:
            last = list(csv.DictReader(file))[-1]
        speed = float(last.get("x'", last.get("vx", "nan")))
        return spent, instants, 0.5 * (speed**2 + (RATE * float(last["x"])) ** 2)


def best(run):
    results = [run() for _ in range(REPEATS)]
    return min(result[0] for result in results), *errors(*results[-1][1:])


def picture(path, curves):
    """Error of the instants over processor time, both logarithmic."""
    from math import log10

    points = [(t, e) for rows in curves.values() for _, t, e, _ in rows if e > 0]
    left, right = log10(min(t for t, _ in points)) - 0.1, log10(max(t for t, _ in points)) + 0.1
    low, high = log10(min(e for _, e in points)) - 0.3, log10(max(e for _, e in points)) + 0.3
    x = lambda t: 70 + 400 * (log10(t) - left) / (right - left)
    y = lambda e: 20 + 280 * (high - log10(e)) / (high - low)
    colours = ["#1f77b4", "#17becf", "#2ca02c", "#d62728", "#9467bd"]
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 350" font-family="sans-serif" font-size="12">']
    out.append('<rect x="70" y="20" width="400" height="280" fill="none" stroke="#888"/>')
    for k in range(int(left) - 1, int(right) + 1):
        if left <= k <= right:
            out.append(f'<text x="{x(10.0**k):.1f}" y="316" text-anchor="middle">1e{k}</text>')
    for k in range(int(low) - 1, int(high) + 1, 2):
        if low <= k <= high:
            out.append(f'<text x="64" y="{y(10.0**k) + 4:.1f}" text-anchor="end">1e{k}</text>')
    out.append('<text x="270" y="338" text-anchor="middle">processor time (s)</text>')
    out.append('<text x="16" y="160" text-anchor="middle" transform="rotate(-90 16 160)">error of the instants (s)</text>')
    for k, (name, rows) in enumerate(curves.items()):
        places = [(x(t), y(e)) for _, t, e, _ in rows if e > 0]
        way = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
        out.append(f'<polyline points="{way}" fill="none" stroke="{colours[k]}"/>')
        out.extend(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colours[k]}"/>' for a, b in places)
        out.append(f'<text x="482" y="{40 + 20 * k}" fill="{colours[k]}">{name}</text>')
    out.append("</svg>")
    with open(path, "w") as file:
        file.write("\n".join(out) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=os.path.join(HERE, "target/release/rotula"))
    parser.add_argument("--picture")
    options = parser.parse_args()
    import numpy as np
    import siconos.kernel as kernel

    tolerances = [10.0**-k for k in range(3, 11)]
    steps = [2e-2 / 4**k for k in range(6)]
    curves = {}

    def measure(name, values, run):
        curves[name] = [(value, *best(lambda: run(value))) for value in values]

    start = rotula(options.program, 'formulation = "nonsmooth"\nstep = 1\n')[0]
    measure("Siconos, event-driven", tolerances, lambda v: siconos_events(kernel, np, v))
    measure("Siconos, time-stepping", steps, lambda v: siconos_stepping(kernel, np, v))
    nonsmooth = 'formulation = "nonsmooth"\n'
    measure("Rotula nonsmooth, tolerance", tolerances, lambda v: rotula(options.program, f"{nonsmooth}tolerance = {v}\n"))
    measure("Rotula nonsmooth, steps", steps, lambda v: rotula(options.program, f"{nonsmooth}step = {v}\n"))
    measure("Rotula moreau-jean", steps, lambda v: rotula(options.program, f'formulation = "moreau-jean"\nstep = {v}\n'))
    print(f"a start of the program takes {1e3 * start:.1f} ms")
    for name, rows in curves.items():
        print(f"\n{name}")
        print("  tolerance or step   time (ms)   instants (s)   energy")
        for value, spent, late, energy in rows:
            print(f"  {value:17.2e} {1e3 * spent:11.2f} {late:14.2e} {energy:8.1e}")
    if options.picture:
        picture(options.picture, curves)


if __name__ == "__main__":
    main()
