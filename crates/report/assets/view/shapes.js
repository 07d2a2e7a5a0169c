// Shapes of size one: corners, normals and triangles.
const shapes = {
  // A surface of revolution about z from points [radius, height, normal outwards, normal upwards].
  turned(profile, sides) {
    const [corners, normals, triangles] = [[], [], []];
    for (let i = 0; i <= sides; i++) {
      const [c, s] = [Math.cos((2 * Math.PI * i) / sides), Math.sin((2 * Math.PI * i) / sides)];
      for (const [r, z, out, up] of profile) {
        corners.push(r * c, r * s, z);
        normals.push(out * c, out * s, up);
      }
    }
    const n = profile.length;
    for (let i = 0; i < sides; i++)
      for (let k = 0; k + 1 < n; k++) {
        const [a, b] = [i * n + k, (i + 1) * n + k];
        triangles.push(a, b, b + 1, a, b + 1, a + 1);
      }
    return { corners, normals, triangles };
  },

  ball() {
    const profile = [];
    for (let k = 0; k <= 16; k++) {
      const angle = Math.PI * (k / 16 - 0.5);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      profile.push([c, s, c, s]);
    }
    return shapes.turned(profile, 32);
  },

  // Radius one, from z = 0 to 1, closed.
  cylinder() {
    return shapes.turned([[0, 0, 0, -1], [1, 0, 0, -1], [1, 0, 1, 0], [1, 1, 1, 0], [1, 1, 0, 1], [0, 1, 0, 1]], 24);
  },

  // Base radius one at z = 0, tip at z = 1.
  cone() {
    const s = Math.SQRT1_2;
    return shapes.turned([[0, 0, 0, -1], [1, 0, 0, -1], [1, 0, s, s], [0, 1, s, s]], 24);
  },

  // Edges of length one about the origin.
  box() {
    const [corners, normals, triangles] = [[], [], []];
    for (const axis of [0, 1, 2])
      for (const side of [-1, 1]) {
        const first = corners.length / 3;
        for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
          const corner = [0, 0, 0];
          corner[axis] = 0.5 * side;
          corner[(axis + 1) % 3] = 0.5 * u;
          corner[(axis + 2) % 3] = 0.5 * v;
          corners.push(...corner);
          const normal = [0, 0, 0];
          normal[axis] = side;
          normals.push(...normal);
        }
        const order = side > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
        triangles.push(...order.map((k) => first + k));
      }
    return { corners, normals, triangles };
  },
};

// A tube along points, with colours at the points if there are any (three numbers each).
function tubeAlong(points, radius, colours, sides = 8) {
  const n = points.length;
  const [corners, normals, shades, triangles] = [[], [], [], []];
  let across = null;
  for (let k = 0; k < n; k++) {
    const tangent = vec.unit(vec.subtract(points[Math.min(n - 1, k + 1)], points[Math.max(0, k - 1)]));
    // Carried along without twist.
    const carried = across && vec.unit(vec.along(across, tangent, -vec.dot(across, tangent)));
    across = carried && vec.length(carried) > 0.5 ? carried : vec.across(tangent);
    const other = vec.cross(tangent, across);
    for (let i = 0; i < sides; i++) {
      const [c, s] = [Math.cos((2 * Math.PI * i) / sides), Math.sin((2 * Math.PI * i) / sides)];
      const normal = vec.add(vec.scale(across, c), vec.scale(other, s));
      corners.push(...vec.along(points[k], normal, radius));
      normals.push(...normal);
      if (colours) shades.push(...colours[k]);
    }
    if (k === 0) continue;
    for (let i = 0; i < sides; i++) {
      const [a, b] = [(k - 1) * sides + i, (k - 1) * sides + ((i + 1) % sides)];
      triangles.push(a, b, b + sides, a, b + sides, a + sides);
    }
  }
  return { corners, normals, colours: colours ? shades : null, triangles };
}

// A prism along points with the given outline [y, z], whose y axes are known at every point; its edges are sharp.
function prismAlong(points, across, outline, colours) {
  const [n, sides] = [points.length, outline.length];
  const [corners, normals, shades, triangles] = [[], [], [], []];
  const axes = points.map((_, k) => {
    const tangent = vec.unit(vec.subtract(points[Math.min(n - 1, k + 1)], points[Math.max(0, k - 1)]));
    const y = vec.unit(vec.along(across[k], tangent, -vec.dot(across[k], tangent)));
    return [y, vec.cross(tangent, y), tangent];
  });
  const at = (k, [y, z]) => vec.along(vec.along(points[k], axes[k][0], y), axes[k][1], z);
  const push = (k, corner, normal) => {
    corners.push(...corner);
    normals.push(...normal);
    if (colours) shades.push(...colours[k]);
    return corners.length / 3 - 1;
  };
  for (let i = 0; i < sides; i++) {
    const [a, b] = [outline[i], outline[(i + 1) % sides]];
    const out = [b[1] - a[1], a[0] - b[0]];
    for (let k = 0; k < n; k++) {
      const normal = vec.unit(vec.add(vec.scale(axes[k][0], out[0]), vec.scale(axes[k][1], out[1])));
      const first = push(k, at(k, a), normal);
      push(k, at(k, b), normal);
      if (k) triangles.push(first - 2, first - 1, first + 1, first - 2, first + 1, first);
    }
  }
  // Ends, as fans about the axis: also right for a section with flanges, whose middle is its web.
  for (const [k, way] of [[0, -1], [n - 1, 1]]) {
    const normal = vec.scale(axes[k][2], way);
    const middle = push(k, points[k], normal);
    const ring = outline.map((corner) => push(k, at(k, corner), normal));
    for (let i = 0; i < sides; i++) triangles.push(middle, ring[i], ring[(i + 1) % sides]);
  }
  return { corners, normals, colours: colours ? shades : null, triangles };
}

// Corners of teeth about z, of pitch radius one; the more there are, the lower they are.
function teethOf(count) {
  const depth = 1.2 / count;
  return Array.from({ length: count }, (_, k) =>
    [[-0.3, -1], [-0.16, 0.9], [0.16, 0.9], [0.3, -1]].map(([part, side]) => [(2 * Math.PI * (k + part)) / count, 1 + side * depth])
  ).flat();
}

const around = ([angle, r]) => [r * Math.cos(angle), r * Math.sin(angle)];

// A wheel with teeth about z, of pitch radius one and thickness one.
function toothed(teeth = 18) {
  return prismAlong([[0, 0, -0.5], [0, 0, 0.5]], [[1, 0, 0], [1, 0, 0]], teethOf(teeth).map(around), null);
}

// A ring with teeth inside.
function toothedRing(teeth = 54) {
  const rim = 1 + 4.5 / teeth;
  const inner = teethOf(teeth);
  const [corners, normals, triangles] = [[], [], []];
  // a flat face of four corners, seen from the side of its normal
  const face = (a, b, c, d) => {
    const normal = vec.unit(vec.cross(vec.subtract(b, a), vec.subtract(c, a)));
    const first = corners.length / 3;
    for (const corner of [a, b, c, d]) {
      corners.push(...corner);
      normals.push(...normal);
    }
    triangles.push(first, first + 1, first + 2, first, first + 2, first + 3);
  };
  inner.forEach((here, k) => {
    const next = inner[(k + 1) % inner.length];
    const at = ([angle, r], z) => [...around([angle, r]), z];
    const out = ([angle]) => [angle, rim];
    for (const z of [-0.5, 0.5]) {
      const ring = [at(here, z), at(out(here), z), at(out(next), z), at(next, z)];
      face(...(z > 0 ? ring : ring.reverse()));
    }
    face(at(here, -0.5), at(here, 0.5), at(next, 0.5), at(next, -0.5));
    face(at(out(here), -0.5), at(out(next), -0.5), at(out(next), 0.5), at(out(here), 0.5));
  });
  return { corners, normals, triangles };
}

// An arc about z with an arrow at its end: something turns.
function turning() {
  const points = [];
  for (let k = 0; k <= 24; k++) {
    const angle = (1.5 * Math.PI * k) / 24;
    points.push([Math.cos(angle), Math.sin(angle), 0]);
  }
  const tube = tubeAlong(points, 0.1, null, 8);
  const cone = shapes.cone();
  // At the end of the arc its direction is +x, at [0, −1, 0].
  const count = tube.corners.length / 3;
  for (let k = 0; k < cone.corners.length; k += 3) {
    const [x, y, z] = cone.corners.slice(k, k + 3);
    tube.corners.push(0.7 * z, -1 + 0.28 * y, 0.28 * x);
    const [nx, ny, nz] = cone.normals.slice(k, k + 3);
    tube.normals.push(nz, ny, nx);
  }
  tube.triangles.push(...cone.triangles.map((k) => k + count));
  return tube;
}

// A spiral about z, as of a clock: of outer radius one.
function spiral() {
  const points = [];
  for (let k = 0; k <= 72; k++) {
    const [angle, r] = [(2 * Math.PI * 2.75 * k) / 72, 0.3 + (0.7 * k) / 72];
    points.push([r * Math.cos(angle), r * Math.sin(angle), 0]);
  }
  return tubeAlong(points, 0.055, null, 6);
}

// Flat triangles between points, with colours at the points if there are any.
function flatSkin(points, order, colours) {
  const [corners, normals, shades, triangles] = [[], [], [], []];
  for (let k = 0; k < order.length; k += 3) {
    const [a, b, c] = [order[k], order[k + 1], order[k + 2]];
    const normal = vec.unit(vec.cross(vec.subtract(points[b], points[a]), vec.subtract(points[c], points[a])));
    for (const corner of [a, b, c]) {
      corners.push(...points[corner]);
      normals.push(...normal);
      if (colours) shades.push(...colours[corner]);
      triangles.push(triangles.length);
    }
  }
  return { corners, normals, colours: colours ? shades : null, triangles };
}

// A helix between two points, with straight ends.
function coil(a, b, radius, coils) {
  const axis = vec.subtract(b, a);
  const z = vec.unit(axis);
  const x = vec.across(z);
  const y = vec.cross(z, x);
  const points = [a];
  const steps = 12 * coils;
  for (let k = 0; k <= steps; k++) {
    const angle = (2 * Math.PI * k) / 12;
    const s = 0.12 + (0.76 * k) / steps;
    // The first and last half turn grow out of the axis.
    const r = radius * Math.min(1, k / 6, (steps - k) / 6);
    points.push(vec.add(vec.along(a, axis, s), vec.add(vec.scale(x, r * Math.cos(angle)), vec.scale(y, r * Math.sin(angle)))));
  }
  points.push(b);
  return points;
}

// From a value between 0 and 1 to a colour: violet, blue, green, yellow. With zero inside: blue, white, red.
function heat(part, twoSided) {
  const stops = twoSided
    ? [[0.13, 0.35, 0.72], [0.56, 0.72, 0.88], [0.8, 0.8, 0.78], [0.94, 0.62, 0.5], [0.72, 0.13, 0.17]]
    : [[0.27, 0.0, 0.33], [0.23, 0.32, 0.55], [0.13, 0.57, 0.55], [0.37, 0.79, 0.38], [0.99, 0.91, 0.14]];
  const at = Math.min(3.9999, Math.max(0, part * 4)) || 0;
  const k = Math.floor(at);
  return stops[k].map((from, i) => from + (at - k) * (stops[k + 1][i] - from));
}
