#!/usr/bin/env python3
"""What settings a model should have that names none: accuracy and price, measured.

    cargo build --release -p rotula-cli
    python benches/defaults.py [--models NAME ...] [--formulations default ggl bdf ...]
                               [--tolerances 1e-5 1e-6 ...] [--rho 0.8 0.9 ...] [--json FILE]

Every smooth model is run with `[solve]` left out but for its end time and the setting under test, and compared with a
tight run (bdf, tolerance 1e-10). A second tight run by another method (ggl, 1e-8) says how far the reference itself can
be trusted; a model on which the two tight runs disagree by a tenth of the goal is marked with a question mark. The car axis and
Andrews' mechanism have published solutions besides, which the reference is compared with first.

Errors are those of every recorded column at 201 instants, relative to the largest value of the vector that the column
belongs to (positions: `x y z`, joint coordinates; reactions: `fx fy fz`, `mx my mz`, efforts, multipliers). The goal:
positions within 1e-3, reactions within 1e-2. CPU is the processor time of the program without that of a run of no
length, in seconds. `default` stands for no setting at all.

Models with stiff elastic parts (rotor_blade, turning_blade, rotating_shaft, flexible_four_bar, lateral_buckling) are not among
them: no tight run of a second method ends within minutes.
"""
import argparse
import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODELS = ROOT / "examples" / "models"
INSTANTS = 200
GOALS = {"positions": 1e-3, "reactions": 1e-2}
TIGHT = [{"formulation": '"bdf"', "tolerance": "1e-10"}, {"formulation": '"ggl"', "tolerance": "1e-8"}]

# File (or name of a text below), and an end time where the model's own would take long or become chaotic.
SMOOTH = {
    "ball_pendulum": None,
    "whipping_pendulum": None,
    "car_axis": None,
    "pendulum": None,
    "double_pendulum": None,
    "double_pendulum_equations": None,
    "slider_crank": None,
    "slider_crank_equations": None,
    "spatial_slider_crank": 5.0,
    "squeezer_bodies": None,
    "gyroscope": None,
    "bricard": None,
    "bicycle": None,
    "four_bar": None,
    "driven_four_bar": None,
    "flexible_slider_crank": 0.2,
    "door": None,
    "governor": None,
    "double_wishbone": None,
    "quarter_car": None,
    "stewart": None,
    "controlled_pendulum": None,
    "excavator": None,
    "robot_arm": None,
    "flexible_pendulum": None,
    "right_angle_frame": None,
    "fork": None,
}

TEXTS = {
    "ball_pendulum": """
gravity = [0, 0, -9.81]
[body.p]
mass = 1
inertia = [0.04, 0.1, 0.1]
at = [2, 0, 0]
[joint.ball]
spherical = { between = ["ground", "p"], at = [0, 0, 0] }
[solve]
until = 5
""",
    # A heavy arm that carries a light one past its own end: the light one is flung round.
    "whipping_pendulum": """
gravity = [0, 0, -9.81]
[body.arm]
mass = 2
inertia = [0.01, 0.2, 0.2]
at = [0.5, 0, 0]
[body.whip]
mass = 0.1
inertia = [1e-4, 3e-3, 3e-3]
at = [1.3, 0, 0]
[joint.shoulder]
revolute = { between = ["ground", "arm"], at = [0, 0, 0], about = "y" }
[joint.wrist]
revolute = { between = ["arm", "whip"], at = [1, 0, 0], about = "y" }
[solve]
until = 3
""",
    # Test set for IVP solvers, release 2.4, problem "car axis": L = 1, L0 = 1/2, epsilon = 1e-2, M = 10.
    "car_axis": """
[parameters]
M = 10
eps = 1e-2
L = 1
L0 = 0.5
k = "M*eps^2/2"
[define]
yb = "0.1*sin(10*t)"
xb = "sqrt(L^2 - yb^2)"
Ll = "sqrt(xl^2 + yl^2)"
Lr = "sqrt((xr - xb)^2 + (yr - yb)^2)"
[coordinates]
xl = { at = 0, velocity = -0.5 }
yl = { at = 0.5, velocity = 0 }
xr = { at = 1, velocity = -0.5 }
yr = { at = 0.5, velocity = 0 }
[mass]
xl = "k"
yl = "k"
xr = "k"
yr = "k"
[force]
xl = "(L0 - Ll)*xl/Ll"
yl = "(L0 - Ll)*yl/Ll - k"
xr = "(L0 - Lr)*(xr - xb)/Lr"
yr = "(L0 - Lr)*(yr - yb)/Lr - k"
[constraint]
axle = "xl*xb + yl*yb"
bar = "(xl - xr)^2 + (yl - yr)^2 - L^2"
[solve]
until = 3
""",
}

# Published solutions at the end.
PUBLISHED = {
    "car_axis": {
        "xl": 0.04934557842754028,
        "yl": 0.4969894602301711,
        "xr": 1.041742524885422,
        "yr": 0.3739110272653612,
        "lambda.axle": 4.736886590848933e-3,
        "lambda.bar": 1.104680331257344e-3,
    },
}

POSITION = re.compile(r"^(?P<thing>.+)\.(?P<stem>)[xyz]$|\.(angle|displacement|first|second|length)$")
REACTION = re.compile(r"^(?P<thing>.+)\.(?P<stem>[fm])[xyz]$|\.effort$|^lambda\.")


def text_of(name):
    return TEXTS[name] if name in TEXTS else (MODELS / f"{name}.toml").read_text()


def without_settings(text, end):
    """The model, without its [solve], and its end time."""
    found = re.search(r"^until\s*=\s*([0-9.eE+-]+)", text[text.index("[solve]"):], re.M)
    start = re.search(r"^initial\s*=.*$", text[text.index("[solve]"):], re.M)
    kept = re.sub(r"^\[solve(\.[^\]]*)?\].*\n(?:(?!\[).*\n?)*", "", text, flags=re.M)
    return kept, (end or float(found.group(1))), (start.group(0) if start else "")


class Runner:
    """Runs models with settings, in a folder of its own."""

    def __init__(self, program):
        self.program = program
        self.folder = Path(tempfile.mkdtemp(prefix="rotula-defaults-"))
        for path in MODELS.iterdir():
            if path.suffix in (".flex", ".inp", ".urdf"):
                shutil.copy(path, self.folder)

    def run(self, name, settings, until=None, seconds=600):
        """Columns by name, steps and processor seconds; or why there are none."""
        text, end, start = without_settings(text_of(name), SMOOTH[name])
        end = until or end
        lines = [f"until = {end!r}", f"output_every = {end / INSTANTS!r}", start]
        lines += [f"{key} = {value}" for key, value in settings.items()]
        model = self.folder / f"{name}.toml"
        model.write_text(text + "\n[solve]\n" + "\n".join(lines) + "\n")
        results = self.folder / "results"
        before = os.times()
        command = [self.program, "run", str(model), "-o", str(results), "--quiet"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return f"more than {seconds} s"
        after = os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        if done.returncode != 0:
            words = (done.stderr.strip() or "failed").splitlines()
            return next((line for line in words if "failed" in line or "error" in line), words[0])[:120]
        with open(results / "trajectory.csv") as file:
            rows = list(csv.reader(file))
        table = [[float(value) for value in row] for row in rows[1:]]
        columns = {head: [row[i] for row in table] for i, head in enumerate(rows[0])}
        summary = json.loads((results / "summary.json").read_text())
        return columns, summary["statistics"]["steps"], cpu


def kind_of(column, coordinates, sensors):
    if column.split(".")[0] in sensors:
        return None
    if REACTION.search(column):
        return "reactions"
    return "positions" if POSITION.search(column) or column in coordinates else None


def vector_of(column):
    found = re.match(r"^(.+)\.([fm]?)[xyz]$", column)
    return (found.group(1), found.group(2)) if found else (column, "")


def errors(name, columns, reference):
    """The largest relative error of positions and of reactions, and the column it is in."""
    coordinates, sensors = coordinates_of(name), sensors_of(name)
    kinds = {column: kind_of(column, coordinates, sensors) for column in reference}
    sizes, units = {}, {}
    for column, values in reference.items():
        size = max(map(abs, values), default=0.0)
        vector = vector_of(column)
        sizes[vector] = max(sizes.get(vector, 0.0), size)
        unit = (kinds[column], vector[1] == "m")
        units[unit] = max(units.get(unit, 0.0), size)
    # some runs record a time more, where they start anew
    places = {t: i for i, t in enumerate(columns["t"])}
    rows = [(places[t], j) for j, t in enumerate(reference["t"]) if t in places]
    if len(rows) < INSTANTS:
        return {kind: (math.inf, "other times") for kind in GOALS}
    worst = {"positions": (0.0, ""), "reactions": (0.0, "")}
    for column, values in reference.items():
        kind = kinds[column]
        if kind is None or column not in columns:
            continue
        vector = vector_of(column)
        unit = units[(kind, vector[1] == "m")]
        # a vector of zeros is judged against others of its unit; moments also against forces times a metre
        if vector[1] == "m":
            unit = max(unit, sizes.get((vector[0], "f"), 0.0))
        if column.endswith((".angle", ".first", ".second")):
            unit = 1.0
        scale = sizes[vector] if sizes[vector] > 1e-6 * unit else unit
        off = max((abs(columns[column][i] - values[j]) for i, j in rows), default=math.inf)
        off = off / scale if scale > 0 else off
        if not off <= worst[kind][0]:
            worst[kind] = (off, column)
    return worst


def coordinates_of(name):
    """Coordinates of a model of equations."""
    section = re.search(r"^\[coordinates\].*\n((?:(?!\[).*\n?)*)", text_of(name), re.M)
    return set(re.findall(r"^(\w+)\s*=", section.group(1), re.M)) if section else set()


def sensors_of(name):
    """Sensors that read something else than positions."""
    section = re.search(r"^\[sensor\].*\n((?:(?!\[).*\n?)*)", text_of(name), re.M)
    lines = re.findall(r"^(\w+)\s*=(.*)$", section.group(1), re.M) if section else []
    return {name for name, what in lines if "position" not in what}


def shown(error):
    return "–" if error is None else f"{error:.0e}" if math.isfinite(error) else "wrong"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--models", nargs="*", default=list(SMOOTH))
    arguments.add_argument("--formulations", nargs="*", default=["default", "ggl", "pva", "index3", "hht-i3", "soi2", "bdf"])
    arguments.add_argument("--tolerances", nargs="*", default=["1e-5", "1e-6", "1e-7"])
    arguments.add_argument("--rho", nargs="*", default=["0.8"])
    arguments.add_argument("--program", default=str(ROOT / "target" / "release" / "rotula"))
    arguments.add_argument("--json", help="write all numbers there")
    options = arguments.parse_args()
    unknown = [name for name in options.models if name not in SMOOTH]
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}; there are {', '.join(SMOOTH)}")

    runner = Runner(options.program)
    references, idle, all_numbers = {}, {}, []
    print("Reference (bdf, 1e-10) against ggl, 1e-8:\n")
    print("| model | positions | reactions | steps |\n|---|---|---|---|")
    for name in options.models:
        tight = [runner.run(name, settings) for settings in TIGHT]
        if isinstance(tight[0], str):
            print(f"| {name} | {tight[0]} | | |")
            continue
        references[name] = tight[0][0]
        doubt = None if isinstance(tight[1], str) else errors(name, tight[1][0], tight[0][0])
        cells = [
            (tight[1] if doubt is None else shown(doubt[kind][0]))
            + ("" if doubt and doubt[kind][0] <= 0.1 * GOALS[kind] else " ?")
            for kind in GOALS
        ]
        print(f"| {name} | {cells[0]} | {cells[1]} | {tight[0][1]} |", flush=True)
        for column, value in PUBLISHED.get(name, {}).items():
            found = tight[0][0][column][-1]
            # the sign of a multiplier is a matter of convention
            off = abs(abs(found) - abs(value)) if column.startswith("lambda.") else abs(found - value)
            print(f"|   {column} | published {value:.12g} | off by {off:.0e} | |")
        short = runner.run(name, {"formulation": '"ggl"', "tolerance": "1e-3"}, until=1e-9)
        idle[name] = 0.0 if isinstance(short, str) else short[2]
    print()
    names = [name for name in options.models if name in references]
    summaries = []
    for formulation in options.formulations:
        for rho in options.rho if formulation not in ("bdf", "default") else [None]:
            for tolerance in options.tolerances if formulation != "default" else [""]:
                settings = {"formulation": f'"{formulation}"', "tolerance": tolerance} if tolerance else {}
                if rho is not None and formulation == "hht-i3":
                    # the member of the HHT family with this limit, as far as there is one
                    settings["coefficients"] = f"{{ hht = {max(-1 / 3, (float(rho) - 1) / (float(rho) + 1)):.6f} }}"
                elif rho is not None:
                    settings["coefficients"] = f"{{ generalized-alpha = {rho} }}"
                title = formulation + (f", {tolerance}" if tolerance else "") + (f", rho {rho}" if rho else "")
                print(f"**{title}**\n\n| model | positions | in | reactions | in | steps | CPU |\n|---|---|---|---|---|---|---|")
                good, total, worst = 0, 0.0, {kind: 0.0 for kind in GOALS}
                for name in names:
                    found = runner.run(name, settings)
                    if isinstance(found, str):
                        print(f"| {name} | {found} | | | | | |", flush=True)
                        worst = {kind: math.inf for kind in worst}
                        all_numbers.append({"setting": title, "model": name, "failure": found})
                        continue
                    columns, steps, cpu = found
                    cpu = max(0.0, cpu - idle[name])
                    off = errors(name, columns, references[name])
                    good += all(off[kind][0] <= GOALS[kind] for kind in GOALS)
                    total += cpu
                    worst = {kind: max(worst[kind], off[kind][0]) for kind in worst}
                    cells = [
                        f"{shown(off[kind][0])}{'' if off[kind][0] <= GOALS[kind] else ' !'} | {off[kind][1]}"
                        for kind in GOALS
                    ]
                    print(f"| {name} | {cells[0]} | {cells[1]} | {steps} | {cpu:.2f} |", flush=True)
                    numbers = {kind: off[kind][0] for kind in GOALS}
                    all_numbers.append({"setting": title, "model": name, "steps": steps, "cpu": cpu, **numbers})
                summaries.append((title, good, worst, total))
                print()
    print(f"| setting | within the goals (of {len(names)}) | worst position | worst reaction | CPU (s) |\n|---|---|---|---|---|")
    for title, good, worst, total in summaries:
        print(f"| {title} | {good} | {shown(worst['positions'])} | {shown(worst['reactions'])} | {total:.1f} |")
    if options.json:
        Path(options.json).write_text(json.dumps(all_numbers, indent=1))
    shutil.rmtree(runner.folder)


if __name__ == "__main__":
    main()
