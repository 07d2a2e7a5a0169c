"""The frame of an all-terrain vehicle as beams of steel tube. Writes atv_frame.inp; nodes 1 to 28 are the key points."""
import math

# left side; the right one is its mirror image
SIDE = {
    "lf": (.78, .13, .05), "l1": (.45, .17, 0), "l2": (.10, .19, 0), "l3": (-.25, .19, 0), "l4": (-.55, .17, .04),
    "lr": (-.80, .15, .12), "uf": (.72, .13, .34), "u1": (.45, .14, .42), "u2": (.10, .15, .44), "u3": (-.25, .16, .42),
    "u4": (-.55, .16, .40), "ur": (-.85, .15, .36),
}
LONGEST = 0.040  # element
# radius and wall; brackets are in the density
TUBES = {"MAIN": (.0127, .0021), "LIGHT": (.009525, .00165)}
MAIN = "lf-l1-l2-l3-l4-lr uf-u1-fs-u2-u3-u4-ur lf-uf l1-u1 l3-u3 l4-u4 lr-ur"


def main():
    points = {}
    for name, (x, y, z) in SIDE.items():
        points[name + "L"], points[name + "R"] = (x, y, z), (x, -y, z)
    for side in "LR":  # where the front shocks are held, 36.7 mm behind u1
        a, b = points["u1" + side], points["u2" + side]
        share = .0367 / math.dist(a, b)
        points["fs" + side] = tuple(p + (q - p) * share for p, q in zip(a, b))
    points["steer"], points["steerlo"] = (.40, 0, .55), (.55, 0, .10)

    members = []
    for side in "LR":
        for chain in MAIN.split():
            names = chain.split("-")
            members += [(a + side, b + side, "MAIN") for a, b in zip(names, names[1:])]
    members += [(name + "L", name + "R", "MAIN") for name in ("lf", "lr", "u1", "u4")]
    members += [(name + "L", name + "R", "LIGHT") for name in ("l1", "l2", "l3", "l4", "uf", "u3", "ur")]
    members += [("u1L", "steer", "LIGHT"), ("u1R", "steer", "LIGHT"), ("l1L", "steerlo", "LIGHT"),
                ("l1R", "steerlo", "LIGHT"), ("steer", "steerlo", "LIGHT")]

    nodes = list(points.values())
    number = {name: k for k, name in enumerate(points, 1)}
    elements = {}
    for a, b, tube in members:
        length = math.dist(points[a], points[b])
        parts = max(1, math.ceil(length / LONGEST - 1e-9))
        # the first axis of a section points up, or forward where the tube does
        steep = abs(points[b][2] - points[a][2]) >= .9 * length
        last = number[a]
        for k in range(1, parts + 1):
            if k < parts:
                nodes.append(tuple(p + (q - p) * k / parts for p, q in zip(points[a], points[b])))
            here = number[b] if k == parts else len(nodes)
            elements.setdefault(tube + ("_UP" if steep else ""), []).append((last, here))
            last = here

    with open("atv_frame.inp", "w") as out:
        print("** made by atv_frame.py\n*NODE", file=out)
        for label, (x, y, z) in enumerate(nodes, 1):
            print(f"{label}, {x:.9g}, {y:.9g}, {z:.9g}", file=out)
        label = 0
        for name, pairs in elements.items():
            print(f"*ELEMENT, TYPE=B31, ELSET={name}", file=out)
            for a, b in pairs:
                label += 1
                print(f"{label}, {a}, {b}", file=out)
        print("*MATERIAL, NAME=STEEL\n*ELASTIC\n2.05e11, 0.29\n*DENSITY\n8400", file=out)
        for name in elements:
            radius, wall = TUBES[name.removesuffix("_UP")]
            print(f"*BEAM SECTION, SECTION=PIPE, ELSET={name}, MATERIAL=STEEL\n{radius}, {wall}", file=out)
            print("1, 0, 0" if name.endswith("_UP") else "0, 0, 1", file=out)


main()
