"""The mechanisms of `benches/trees.py`: chains of links on skew hinges, a body of thirty hinges and a vehicle with four loops."""
import math

import numpy as np

GRAVITY = (0.0, 0.0, -9.81)

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


class Link:
    """A body on its joint, with all axes those of the world at the start; places are from the joint before, or of the world."""

    def __init__(self, parent, arm, axis, mass, centre, moments):
        self.parent, self.arm, self.axis = parent, np.array(arm), axis
        self.mass, self.centre, self.moments = mass, np.array(centre), moments

    @property
    def kind(self):
        return {None: "spherical", "free": "free"}.get(self.axis, "revolute")


class Mechanism:
    def __init__(self, links, points, loops=(), spin=(0.0, 0.0, 0.0)):
        self.links, self.points, self.loops, self.spin = links, points, loops, np.array(spin)
        # where joints are in the world
        self.at = []
        for link in links:
            below = self.at[link.parent] if link.parent >= 0 else np.zeros(3)
            self.at.append(below + link.arm)

    def text(self):
        """What the benchmark program reads."""
        words = lambda *values: " ".join(repr(float(x)) for value in values for x in value)
        lines = [f"gravity {words(GRAVITY)}"]
        for k, link in enumerate(self.links):
            centre = self.at[k] + link.centre
            velocity = np.cross(self.spin, centre)
            lines.append(f"body b{k} {link.mass!r} {words(link.moments, centre, velocity, self.spin)}")
        for k, link in enumerate(self.links):
            below = f"b{link.parent}" if link.parent >= 0 else "ground"
            if link.kind != "free":
                lines.append(f"joint {link.kind} {below} b{k} {words(self.at[k], link.axis or Z)}")
        for (a, place, b, _) in self.loops:
            lines.append(f"joint spherical b{a} b{b} {words(self.at[a] + np.array(place), Z)}")
        for k, place in self.points:
            lines.append(f"point b{k} {words(np.array(place) - self.links[k].centre)}")
        return "\n".join(lines) + "\n"


def box(mass, x, y, z):
    return (mass / 12 * (y * y + z * z), mass / 12 * (x * x + z * z), mass / 12 * (x * x + y * y))


def chain(n):
    length, width, mass = 0.1, 0.02, 0.1
    moments = box(mass, length, width, width)
    links = []
    for i in range(n):
        angle = math.pi / 4 * (i % 4)
        axis = (0.0, math.cos(angle), math.sin(angle))
        links.append(Link(i - 1, (length if i else 0.0, 0, 0), axis, mass, (length / 2, 0, 0), moments))
    points = [(n - 1, (length, 0, 0))] + ([(9, (length, 0, 0))] if n > 10 else [])
    return Mechanism(links, points)


def humanoid():
    """A spine and a neck of three hinges each, arms and legs of six."""
    links = []

    def add(*given):
        links.append(Link(*given))
        return len(links) - 1

    chest = -1
    for k, axis in enumerate((X, Y, Z)):
        chest = add(chest, (0, 0, 0.1 if k else 0), axis, 6.0, (0.01, 0, 0.05), box(6, 0.2, 0.3, 0.1))
    neck = chest
    for k, axis in enumerate((Z, X, Y)):
        neck = add(neck, (0, 0, 0.05 if k else 0.25), axis, 1.2, (0.01, 0, 0.04), box(1.2, 0.1, 0.1, 0.08))
    hand = None
    for side in (1, -1):
        arm = [(X, (0, 0.2 * side, 0.2), 1.0), (Y, (0, 0.05 * side, 0), 1.0), (Z, (0, 0.03 * side, -0.1), 1.0)]
        arm += [(Y, (0, 0, -0.15), 0.8), (Z, (0, 0, -0.12), 0.6), (X, (0, 0, -0.12), 0.5)]
        body = chest
        for axis, place, mass in arm:
            body = add(body, place, axis, mass, (0.01, 0.02 * side, -0.06), box(mass, 0.06, 0.06, 0.14))
        hand = body if side == 1 else hand
        leg = [(Z, (0, 0.1 * side, -0.05), 1.5), (X, (0, 0, -0.03), 1.5), (Y, (0, 0, -0.03), 4.0)]
        leg += [(Y, (0, 0, -0.4), 3.0), (Y, (0, 0, -0.4), 0.8), (X, (0, 0, -0.03), 0.9)]
        body = 0
        for axis, place, mass in leg:
            body = add(body, place, axis, mass, (0.02, 0, -0.1), box(mass, 0.1, 0.1, 0.3))
    return Mechanism(links, [(hand, (0, 0.02, -0.12))])


def vehicle():
    """A chassis without springs, turning about the origin; on every corner two arms, an upright and a wheel."""
    links = [Link(-1, (0, 0, 0), "free", 1200.0, (0, 0, 0.2), (300.0, 1500.0, 1600.0))]

    def add(*given):
        links.append(Link(*given))
        return len(links) - 1

    loops, upright = [], None
    for x in (1.3, -1.3):
        for s in (1, -1):
            lower = add(0, (x, 0.3 * s, -0.1), X, 6.0, (0, 0.2 * s, 0), box(6, 0.3, 0.4, 0.04))
            tilted = tuple(np.array((1, 0, 0.1)) / math.hypot(1, 0.1))
            upper = add(0, (x, 0.35 * s, 0.15), tilted, 4.0, (0, 0.15 * s, 0), box(4, 0.2, 0.3, 0.03))
            own = add(lower, (0, 0.4 * s, 0), None, 20.0, (0, 0.05 * s, 0.12), box(20, 0.2, 0.1, 0.3))
            upright = upright or own
            add(own, (0, 0.1 * s, 0.1), Y, 25.0, (0, 0, 0), (0.8, 1.4, 0.8))
            loops.append((upper, (0, 0.33 * s, 0.005), own, (0, -0.02 * s, 0.255)))
    centre = tuple(links[upright].centre)
    return Mechanism(links, [(upright, centre)], loops, (1.0, 0.7, 2.0))


def mechanism(name):
    if name.startswith("chain"):
        return chain(int(name[5:]))
    return humanoid() if name == "humanoid" else vehicle()
