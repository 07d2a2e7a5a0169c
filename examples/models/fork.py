"""A steel fork of hexahedra: a stem and two prongs, 12 mm thick. Writes fork.inp."""
def main():
    cell, nz, thick = 0.02, 1, 0.012
    # cells of the fork in its plane
    cells = [(i, j) for i in range(0, 6) for j in (1, 2)] \
        + [(i, j) for i in (6, 7) for j in range(4)] \
        + [(i, j) for i in range(8, 16) for j in (0, 3)]
    nodes = {}
    def node(i, j, k):
        return nodes.setdefault((i, j, k), len(nodes) + 1)
    elements = []
    for i, j in cells:
        for k in range(nz):
            elements.append([node(i + a, j + b, k + c) for c in (0, 1)
                             for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))])
    with open("fork.inp", "w") as out:
        print("*NODE", file=out)
        for (i, j, k), number in nodes.items():
            print(f"{number}, {i * cell:.4f}, {(j - 2) * cell:.4f}, {k * thick / nz - thick / 2:.4f}", file=out)
        print("*ELEMENT, TYPE=C3D8, ELSET=FORK", file=out)
        for number, corners in enumerate(elements, 1):
            print(", ".join(map(str, [number] + corners)), file=out)
        for name, want in (("STEM", lambda i, j: i == 0), ("LEFT", lambda i, j: i == 16 and j <= 1),
                           ("RIGHT", lambda i, j: i == 16 and j >= 3)):
            print(f"*NSET, NSET={name}", file=out)
            for (i, j, k), number in nodes.items():
                if want(i, j):
                    print(f"{number},", file=out)
        print("*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850\n*SOLID SECTION, ELSET=FORK, MATERIAL=STEEL", file=out)
main()
