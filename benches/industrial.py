#!/usr/bin/env python3
"""The comparison of Negrut et al. (2005): HHT against BDF on industrial models, at the paper's tolerances and at equal accuracy.

    cargo build --release -p rotula-cli
    python3 benches/industrial.py [belt track atv] [--until 0.01] [--only METHOD ...] [--json FILE] [--pictures FOLDER]
    python3 benches/industrial.py --figures --pictures docs/src/pictures

Each method runs the model of `examples/models` with tolerances of its own, alone on one core. Two tight runs of different methods are the
reference: errors are taken against the first, and the difference of the two says how far it can be trusted. The error of an output
is the root of its mean square over all recorded times, over the largest value of the reference.

Printed are steps, rejected attempts, iterations, matrices, processor time, errors, and two ratios of processor times to that of
`hht-i3`: at the tolerances of the paper, and at equal accuracy, for which times are interpolated over errors, both as logarithms.
With `--pictures` it draws errors over processor time, and the outputs of the paper's figures with both of its integrators and their
difference; `--figures` makes these figures alone, from the two runs that they need.
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
        "figures": {
            "force": ("alternator_shaft.fx", "Force of the alternator's bearing along x, N"),
            "speed": ("alternator_shaft.angle_velocity", "Speed of the alternator, rad/s"),
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
    "track": {
        "file": "excavator_track.toml",
        "until": 3.0,
        "outputs": {
            "frame x": "frame_at.x",
            "frame speed": "frame.vx",
            "link 8 velocity": "link_velocity.x",
        },
        "figures": {
            "velocity": ("link_velocity.x", "Velocity of shoe 8 along x, m/s"),
            "acceleration": ("link_acceleration.x", "Acceleration of shoe 8 along x, m/s²"),
        },
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
        "figures": {
            "pitch": ("engine_turns.y", "Pitch rate of the engine, rad/s"),
            "joint": ("rear[1].pivot.fz", "Vertical force of the rear spherical joint, N"),
        },
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


COLOURS = ["#1b6ca8", "#c0392b", "#7fb2d9", "#e08e45", "#8e6c3a", "#2e8b57", "#6b4c9a"]
WIDTH, LEFT, RIGHT = 640, 84, 150


def ticks(low, high, count):
    """About so many round numbers between two others."""
    rough = (high - low) / count
    power = 10 ** math.floor(math.log10(rough))
    step = power * next(part for part in (1, 2, 5, 10) if part * power >= 0.7 * rough)
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


class Panel:
    """A rectangle between two heights, with axes for points, as pieces of SVG."""

    def __init__(self, between, points, logarithmic=False):
        self.low, self.high = between[1], between[0]
        self.scale = math.log10 if logarithmic else float
        self.number = (lambda v: f"{10 ** v:.1e}") if logarithmic else (lambda v: f"{v:.4g}".replace("-", "−"))
        ends = [[self.scale(point[k]) for point in points] for k in (0, 1)]
        (self.x0, self.x1), (self.y0, self.y1) = [(min(all_), max(all_) + (max(all_) == min(all_))) for all_ in ends]

    def x(self, value):
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - self.x0) / (self.x1 - self.x0)

    def y(self, value):
        return self.low - (self.low - self.high) * (value - self.y0) / (self.y1 - self.y0)

    def axes(self, label_x, label_y, lines=4):
        out = []
        for x in ticks(self.x0, self.x1, 4):
            out.append(f'<line x1="{self.x(x):.1f}" y1="{self.low}" x2="{self.x(x):.1f}" y2="{self.high}" stroke="#ddd"/>')
            if label_x:
                out.append(f'<text x="{self.x(x):.1f}" y="{self.low + 16}" text-anchor="middle">{self.number(x)}</text>')
        for y in ticks(self.y0, self.y1, lines):
            out.append(f'<line x1="{LEFT}" y1="{self.y(y):.1f}" x2="{WIDTH - RIGHT}" y2="{self.y(y):.1f}" stroke="#ddd"/>'
                       f'<text x="{LEFT - 6}" y="{self.y(y) + 4:.1f}" text-anchor="end">{self.number(y)}</text>')
        middle = (self.low + self.high) / 2
        out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{self.low + 34}" text-anchor="middle">{label_x}</text>'
                   f'<text x="16" y="{middle:.0f}" text-anchor="middle" transform="rotate(-90 16 {middle:.0f})">{label_y}</text>')
        return out

    def line(self, points, colour, dash="", dots=False):
        points = [(self.x(self.scale(x)), self.y(self.scale(y))) for x, y in points]
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        out = [f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>']
        return out + [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points if dots]


def save(path, height, title, pieces):
    path.parent.mkdir(parents=True, exist_ok=True)
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">'
            f'<rect width="{WIDTH}" height="{height}" fill="white"/><text x="{LEFT}" y="20" font-size="14">{title}</text>')
    path.write_text("\n".join([head, *pieces]) + "\n</svg>\n")


def named(top, names):
    """Names of lines, each in its colour, at the right."""
    return [f'<text x="{WIDTH - RIGHT + 8}" y="{top + 16 * k + 8}" fill="{COLOURS[k % len(COLOURS)]}">{name}</text>'
            for k, name in enumerate(names)]


def draw_work(folder, name, found, judged):
    """Errors over processor times."""
    lines = {}
    for (method, _), result in found.items():
        if result["errors"][judged] > 0:
            lines.setdefault(method, []).append((result["cpu"], result["errors"][judged]))
    if not lines:
        return
    panel = Panel((34, 370), [point for points in lines.values() for point in points], logarithmic=True)
    pieces = panel.axes("processor time, s", "error")
    for k, points in enumerate(lines.values()):
        pieces += panel.line(points, COLOURS[k % len(COLOURS)], dots=True)
    save(folder / f"industrial-{name}-work.svg", 420, f"{name}: error of the {judged}", pieces + named(34, lines))


def draw_figures(folder, name, case, found):
    """The curves of the paper's figures with both of its integrators, and how far they differ."""
    for figure, (column, title) in case["figures"].items():
        (first, a), (second, b) = [(" ".join(run), found[run]["columns"]) for run in case["paper"]]
        both = [list(zip(values["t"], values[column])) for values in (a, b)]
        largest = max(abs(y) for _, y in both[0])
        apart = [(t, 100 * (y - x) / largest) for (t, x), (_, y) in zip(*both)]
        above, below = Panel((34, 250), both[0] + both[1]), Panel((274, 370), apart)
        # of two curves that lie over each other the second is dashed
        pieces = above.axes("", "") + above.line(both[0], COLOURS[0]) + above.line(both[1], COLOURS[1], ' stroke-dasharray="5 3"')
        pieces += below.axes("t, s", "difference, %", lines=2) + below.line(apart, "#555")
        save(folder / f"industrial-{name}-{figure}.svg", 420, title, pieces + named(34, [first, second]))


def compare(name, given):
    """Runs all methods on a model and prints what came out."""
    case = MODELS[name]
    until = given.until or case["until"]
    model = given.file or ROOT / "examples" / "models" / case["file"]
    go = lambda method, tolerance: run(given.program, model, method, tolerance, until, given.rows)

    if given.figures:
        found = {choice: go(*choice) for choice in case["paper"]}
        for choice, result in found.items():
            if "failed" in result:
                sys.exit(f"{choice} failed: {result['failed']}")
        draw_figures(given.pictures, name, case, found)
        return {}
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
        draw_work(given.pictures, name, found, judged)
        if ours in found and theirs in found:
            draw_figures(given.pictures, name, case, found)
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
    parser.add_argument("--figures", action="store_true", help="only draw the paper's figures")
    given = parser.parse_args()
    if given.figures and not given.pictures:
        parser.error("--figures needs --pictures FOLDER")
    unknown = [name for name in given.models if name not in MODELS]
    if unknown:
        parser.error(f"there is no model {unknown[0]}; choose of {', '.join(MODELS)}")
    data = {name: compare(name, given) for name in given.models or MODELS}
    if given.json:
        given.json.write_text(json.dumps(data, indent=1) + os.linesep)


if __name__ == "__main__":
    main()
