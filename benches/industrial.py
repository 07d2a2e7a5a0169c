#!/usr/bin/env python3
"""The comparison of Negrut et al. (2005): HHT against BDF on industrial models, at the paper's tolerances and at equal accuracy.

    cargo build --release -p rotula-cli
    python3 benches/industrial.py [belt track atv] [--until 0.01] [--only METHOD ...] [--json FILE] [--pictures FOLDER]

Each method runs the model of `examples/models` with tolerances of its own, alone on one core. Two tight runs of different methods are the
reference: errors are taken against the first, and the difference of the two says how far it can be trusted. The error of an output
is the root of its mean square over all recorded times, over the largest value of the reference.

Printed are steps, rejected attempts, iterations, matrices, processor time, errors, and two ratios of processor times to that of
`hht-i3`: at the tolerances of the paper, and at equal accuracy, for which times are interpolated over errors, both as logarithms.
With `--pictures` it draws errors over processor time, and the outputs of the paper's figures with both of its integrators.
"""
import argparse
import csv
import json
import math
import os
import re
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
        "figures": ["alternator_shaft.fx", "alternator_shaft.angle_velocity"],
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
    "track": {
        "file": "excavator_track.toml",
        "until": 3.0,
        "outputs": {
            "frame x": "frame_at.x",
            "frame speed": "frame.vx",
            "link 8 velocity": "link_velocity.x",
        },
        "figures": ["link_velocity.x", "link_acceleration.x"],
        "judged": "frame x",
        "tight": [("hht-i3", "1e-7"), ("bdf si2", "1e-4")],
        "paper": [("hht-i3", "1e-5"), ("bdf si2 order 1", "1e-2")],
        "tolerances": {
            "hht-i3": ["1e-4", "1e-5", "1e-6"],
            "hht-i3 paper": ["1e-5", "1e-6"],
            "bdf index3": ["1e-4", "1e-5"],
            "bdf si2": ["1e-2", "1e-3"],
            "bdf si2 order 1": ["1e-2", "1e-3"],
            "ggl": ["1e-4", "1e-5"],
            "index3": ["1e-4", "1e-5", "1e-6"],
        },
    },
    "atv": {
        "file": "atv.toml",
        "until": 0.25,
        "outputs": {
            "engine pitch rate": "engine_turns.y",
            "rear spherical joint": "rear[1].pivot.fz",
        },
        "figures": ["engine_turns.y", "rear[1].pivot.fz"],
        "judged": "engine pitch rate",
        "tight": [("hht-i3", "1e-7"), ("bdf si2", "1e-5")],
        "paper": [("hht-i3", "1e-5"), ("bdf index3", "1e-4")],
        "tolerances": {
            "hht-i3": ["1e-4", "1e-5", "1e-6"],
            "hht-i3 paper": ["1e-5", "1e-6"],
            "bdf index3": ["1e-4", "1e-5", "1e-6"],
            "bdf si2": ["1e-2", "1e-3", "1e-4"],
            "bdf si2 order 1": ["1e-2"],
            "ggl": ["1e-4", "1e-5"],
            "index3": ["1e-4", "1e-5", "1e-6"],
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


def svg(path, title, label_x, label_y, lines, logarithmic):
    """Lines of (name, points) as a picture."""
    width, height, left, top = 640, 420, 84, 34
    scale = (lambda v: math.log10(v)) if logarithmic else (lambda v: v)
    clean = [(name, [(scale(x), scale(y)) for x, y in points if not logarithmic or min(x, y) > 0]) for name, points in lines]
    xs, ys = [x for _, ps in clean for x, _ in ps], [y for _, ps in clean for _, y in ps]
    if not xs:
        return
    x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)
    x1, y1 = x1 + (x1 == x0), y1 + (y1 == y0)
    px = lambda x: left + (width - left - 150) * (x - x0) / (x1 - x0)
    py = lambda y: height - 50 - (height - 50 - top) * (y - y0) / (y1 - y0)
    colours = ["#1b6ca8", "#7fb2d9", "#c0392b", "#e08e45", "#8e6c3a", "#2e8b57", "#6b4c9a"]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/><text x="{left}" y="20" font-size="14">{title}</text>']
    number = lambda v: f"{10 ** v:.1e}" if logarithmic else f"{v:.4g}"
    for k in range(5):
        x, y = x0 + (x1 - x0) * k / 4, y0 + (y1 - y0) * k / 4
        out.append(f'<line x1="{px(x):.1f}" y1="{py(y0):.1f}" x2="{px(x):.1f}" y2="{py(y1):.1f}" stroke="#ddd"/>'
                   f'<text x="{px(x):.1f}" y="{py(y0) + 16:.1f}" text-anchor="middle">{number(x)}</text>'
                   f'<line x1="{px(x0):.1f}" y1="{py(y):.1f}" x2="{px(x1):.1f}" y2="{py(y):.1f}" stroke="#ddd"/>'
                   f'<text x="{left - 6}" y="{py(y) + 4:.1f}" text-anchor="end">{number(y)}</text>')
    out.append(f'<text x="{(px(x0) + px(x1)) / 2:.0f}" y="{height - 14}" text-anchor="middle">{label_x}</text>'
               f'<text x="16" y="{(py(y0) + py(y1)) / 2:.0f}" text-anchor="middle" transform="rotate(-90 16 {(py(y0) + py(y1)) / 2:.0f})">{label_y}</text>')
    for k, (name, points) in enumerate(clean):
        # of two curves that lie over each other the second is dashed and of another hue
        colour = colours[k % len(colours)] if logarithmic else ["#1b6ca8", "#c0392b"][k % 2]
        way = " ".join(f"{px(x):.1f},{py(y):.1f}" for x, y in points)
        dash = "" if logarithmic or k == 0 else ' stroke-dasharray="5 3"'
        out.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>')
        if logarithmic:
            out += [f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="3" fill="{colour}"/>' for x, y in points]
        out.append(f'<text x="{width - 142}" y="{top + 16 * k + 8}" fill="{colour}">{name}</text>')
    path.write_text("\n".join(out) + "\n</svg>\n")


def draw(folder, name, case, found, judged):
    """Work over precision, and the curves of the paper's figures with both of its integrators."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = {}
    for (method, _), result in found.items():
        lines.setdefault(method, []).append((result["cpu"], result["errors"][judged]))
    svg(folder / f"{name}_work_precision.svg", f"{name}: error of the {judged}", "processor time, s", "error",
        list(lines.items()), True)
    ours, theirs = case["paper"]
    for column in case["figures"]:
        both = [(f"{m} {t}", list(zip(found[m, t]["columns"]["t"], found[m, t]["columns"][column])))
                for m, t in (ours, theirs) if (m, t) in found]
        svg(folder / f"{name}_{re.sub(r'[^a-z0-9]+', '_', column)}.svg", f"{name}: {column}", "t, s", column, both, False)


def compare(name, given):
    """Runs all methods on a model and prints what came out."""
    case = MODELS[name]
    until = given.until or case["until"]
    model = given.file or ROOT / "examples" / "models" / case["file"]
    go = lambda method, tolerance: run(given.program, model, method, tolerance, until, given.rows)

    tight = [go(*choice) for choice in case["tight"]]
    for choice, result in zip(case["tight"], tight):
        if "failed" in result:
            sys.exit(f"the reference {choice} failed: {result['failed']}")
    outputs = case["outputs"]
    errors = lambda result: {
        output: error(result["columns"][column], tight[0]["columns"][column]) for output, column in outputs.items()
    }
    trust = errors(tight[1])
    print(f"{name}, {until} s. Reference: {' '.join(case['tight'][0])}; {' '.join(case['tight'][1])} differs by "
          + ", ".join(f"{value:.1e} ({output})" for output, value in trust.items()) + ".\n")
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
            result["errors"] = errors(result)
            s, found[method, tolerance] = result["statistics"], result
            rejected = s["rejected_by_error"] + s["rejected_by_iteration"]
            numbers = [s["steps"], rejected, s["iterations"], s["factorisations"], f"{result['cpu']:.1f}"]
            numbers += [f"{value:.1e}" for value in result["errors"].values()]
            print(f"| {method} | {tolerance} | " + " | ".join(map(str, numbers)) + " |", flush=True)

    print()
    ours, theirs = case["paper"]
    if ours in found and theirs in found:
        print(f"At the paper's tolerances {theirs[0]} {theirs[1]} takes {found[theirs]['cpu'] / found[ours]['cpu']:.2f} of the time of "
              f"{ours[0]} {ours[1]}.")
    judged = case["judged"]
    points = {}
    for (method, _), result in found.items():
        points.setdefault(method, []).append((result["errors"][judged], result["cpu"]))
    for wanted in (1e-2, 1e-3, 1e-4, 1e-5):
        base = time_at(points.get("hht-i3", []), wanted)
        if base is None:
            continue
        times = {method: time_at(list_, wanted) for method, list_ in points.items() if method != "hht-i3"}
        ratios = ", ".join(f"{method} {t / base:.2f}" for method, t in times.items() if t)
        print(f"At an error of {wanted:.0e} ({judged}), over hht-i3 ({base:.1f} s): {ratios or 'no other method has runs on both sides'}.")
    print()
    if given.pictures:
        draw(given.pictures, name, case, found, judged)
    runs = {f"{m} {t}": {key: r[key] for key in ("errors", "cpu", "statistics")} for (m, t), r in found.items()}
    return {"until": until, "trust": trust, "runs": runs}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help=f"of {', '.join(MODELS)}; default all")
    parser.add_argument("--until", type=float, help="end time; default that of the table in this file")
    parser.add_argument("--rows", type=int, default=200, help="recorded times")
    parser.add_argument("--only", nargs="+", choices=SETTINGS, help="methods; default all")
    parser.add_argument("--file", type=Path, help="another model file of the same outputs")
    parser.add_argument("--program", default=str(ROOT / "target" / "release" / "rotula"))
    parser.add_argument("--json", type=Path, help="write all numbers there")
    parser.add_argument("--pictures", type=Path, help="draw into this folder")
    given = parser.parse_args()
    unknown = [name for name in given.models if name not in MODELS]
    if unknown:
        parser.error(f"there is no model {unknown[0]}; choose of {', '.join(MODELS)}")
    data = {name: compare(name, given) for name in given.models or MODELS}
    if given.json:
        given.json.write_text(json.dumps(data, indent=1) + os.linesep)


if __name__ == "__main__":
    main()
