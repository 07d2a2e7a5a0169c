#!/usr/bin/env python3
"""The comparison of Negrut et al. (2005): HHT against BDF on industrial models, at the paper's tolerances and at equal accuracy.

    cargo build --release -p rotula-cli
    python3 benches/industrial.py belt [--until 0.01] [--only METHOD ...] [--json FILE]

Each method runs the model of `examples/models` with tolerances of its own, alone on one core. Two tight runs of different methods are the
reference: errors are taken against the first, and the difference of the two says how far it can be trusted. The error of an output
is the root of its mean square over all recorded times, over the largest value of the reference.

Printed are steps, rejected attempts, iterations, matrices, processor time, errors, and two ratios of processor times to that of
`hht-i3`: at the tolerances of the paper, and at equal accuracy, for which times are interpolated over errors, both as logarithms.
"""
import argparse
import csv
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# what is compared in each model, its time, and the tolerances of the paper
MODELS = {
    "belt": {
        "file": "poly_v_belt.toml",
        "until": 0.01,
        "outputs": {
            "alternator speed": "alternator_shaft.angle_velocity",
            "alternator force": "alternator_shaft.fx",
            "arm angle": "pivot.angle",
        },
        "judged": "alternator speed",
        "tight": [("hht-i3", "1e-7"), ("bdf si2", "1e-5")],
        "paper": [("hht-i3", "1e-5"), ("bdf index3", "1e-4")],
        "tolerances": {
            "hht-i3": ["1e-4", "1e-5", "1e-6"],
            "hht-i3 paper": ["1e-5", "1e-6"],
            "bdf index3": ["1e-4", "1e-5", "1e-6"],
            "bdf si2": ["1e-2", "1e-3", "1e-4"],
            "bdf si2 order 1": ["1e-2", "1e-3"],
            "ggl": ["1e-4", "1e-5", "1e-6"],
            "index3": ["1e-5", "1e-6"],
        },
    },
}

SETTINGS = {
    "hht-i3": {"formulation": "hht-i3", "mode": "recommended"},
    "hht-i3 paper": {"formulation": "hht-i3", "mode": "paper"},
    "bdf index3": {"formulation": "bdf", "form": "index3"},
    "bdf si2": {"formulation": "bdf", "form": "si2"},
    "bdf si2 order 1": {"formulation": "bdf", "form": "si2", "max_order": 1},
    "ggl": {"formulation": "ggl"},
    "index3": {"formulation": "index3"},
}


def run(program, model, method, tolerance, until, rows):
    """Statistics, processor time and columns of a run; nothing but the reason if it failed."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {**SETTINGS[method], "tolerance": tolerance, "until": until, "output_every": until / rows}
        command = [program, "run", str(model), "-o", folder + "/out", "--quiet"]
        for key, value in settings.items():
            command += ["--set", f"solve.{key}={value}"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            return {"failed": (done.stderr.strip().splitlines() or ["?"])[0]}
        summary = json.load(open(folder + "/out/summary.json"))
        if summary["outcome"]["status"] != "done" or not math.isclose(summary["outcome"]["reached"], until):
            return {"failed": f"ended at {summary['outcome']['reached']}"}
        with open(folder + "/out/trajectory.csv", newline="") as file:
            table = list(csv.reader(file))
        columns = {name: [float(row[k]) for row in table[1:]] for k, name in enumerate(table[0])}
        return {
            "statistics": summary["statistics"],
            "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            "columns": columns,
        }


def error(values, reference):
    """Root of the mean square of the differences, over the largest value."""
    if len(values) != len(reference):
        return math.nan
    square = sum((a - b) ** 2 for a, b in zip(values, reference)) / len(values)
    return math.sqrt(square) / max(map(abs, reference))


def time_at(points, wanted):
    """Processor time at an error, between two runs of a method; none beyond them."""
    points = sorted(points)
    for (e0, t0), (e1, t1) in zip(points, points[1:]):
        if e0 <= wanted <= e1:
            share = (math.log(wanted) - math.log(e0)) / (math.log(e1) - math.log(e0))
            return math.exp(math.log(t0) + share * (math.log(t1) - math.log(t0)))
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("--until", type=float, help="end time; default that of the table in this file")
    parser.add_argument("--rows", type=int, default=200, help="recorded times")
    parser.add_argument("--only", nargs="+", choices=SETTINGS, help="methods; default all")
    parser.add_argument("--file", type=Path, help="another model file of the same outputs")
    parser.add_argument("--program", default=str(ROOT / "target" / "release" / "rotula"))
    parser.add_argument("--json", type=Path, help="write all numbers there")
    given = parser.parse_args()
    case = MODELS[given.model]
    until = given.until or case["until"]
    model = given.file or ROOT / "examples" / "models" / case["file"]
    go = lambda method, tolerance: run(given.program, model, method, tolerance, until, given.rows)

    tight = [go(*choice) for choice in case["tight"]]
    for choice, result in zip(case["tight"], tight):
        if "failed" in result:
            sys.exit(f"the reference {choice} failed: {result['failed']}")
    outputs = case["outputs"]
    errors = lambda result: {
        name: error(result["columns"][column], tight[0]["columns"][column]) for name, column in outputs.items()
    }
    trust = errors(tight[1])
    print(f"{given.model}, {until} s. Reference: {' '.join(case['tight'][0])}; {' '.join(case['tight'][1])} differs by "
          + ", ".join(f"{value:.1e} ({name})" for name, value in trust.items()) + ".\n")
    print("| method | tolerance | steps | rejected | iterations | matrices | CPU s | " + " | ".join(outputs) + " |")
    print("|---" * (7 + len(outputs)) + "|")
    found = {}
    for method, tolerances in case["tolerances"].items():
        if given.only and method not in given.only:
            continue
        for tolerance in tolerances:
            result = go(method, tolerance)
            if "failed" in result:
                print(f"| {method} | {tolerance} | {result['failed']} |", flush=True)
                continue
            s, found[method, tolerance] = result["statistics"], (errors(result), result["cpu"], result["statistics"])
            rejected = s["rejected_by_error"] + s["rejected_by_iteration"]
            numbers = [s["steps"], rejected, s["iterations"], s["factorisations"], f"{result['cpu']:.1f}"]
            numbers += [f"{value:.1e}" for value in errors(result).values()]
            print(f"| {method} | {tolerance} | " + " | ".join(map(str, numbers)) + " |", flush=True)

    print()
    ours, theirs = case["paper"]
    if ours in found and theirs in found:
        print(f"At the paper's tolerances {theirs[0]} {theirs[1]} takes {found[theirs][1] / found[ours][1]:.2f} of the time of "
              f"{ours[0]} {ours[1]}.")
    judged = case["judged"]
    points = {}
    for (method, _), (all_errors, cpu, _) in found.items():
        points.setdefault(method, []).append((all_errors[judged], cpu))
    for wanted in (1e-2, 1e-3, 1e-4, 1e-5):
        base = time_at(points.get("hht-i3", []), wanted)
        if base is None:
            continue
        times = {method: time_at(list_, wanted) for method, list_ in points.items() if method != "hht-i3"}
        ratios = ", ".join(f"{method} {t / base:.2f}" for method, t in times.items() if t)
        print(f"At an error of {wanted:.0e} ({judged}), over hht-i3 ({base:.1f} s): {ratios or 'no other method has runs on both sides'}.")
    if given.json:
        data = {f"{m} {t}": {"errors": e, "cpu": c, "statistics": s} for (m, t), (e, c, s) in found.items()}
        given.json.write_text(json.dumps({"until": until, "trust": trust, "runs": data}, indent=1) + os.linesep)


if __name__ == "__main__":
    main()
