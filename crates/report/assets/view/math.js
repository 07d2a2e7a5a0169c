// Vectors are arrays of three; quaternions [w, x, y, z]; matrices 4 × 4, column after column.
const vec = {
  add: (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
  subtract: (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]],
  scale: (a, s) => [a[0] * s, a[1] * s, a[2] * s],
  along: (a, b, s) => [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s],
  dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
  cross: (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
  length: (a) => Math.hypot(a[0], a[1], a[2]),
  unit: (a) => {
    const length = Math.hypot(a[0], a[1], a[2]);
    return length > 0 ? [a[0] / length, a[1] / length, a[2] / length] : [0, 0, 0];
  },
  // Any direction at right angles to a unit vector.
  across: (a) => vec.unit(vec.cross(a, Math.abs(a[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0])),
};

// The eight corners of a box.
function cornersOf(low, high) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [0, 1, 2].map((i) => ((k >> i) & 1 ? high[i] : low[i])));
}

function rotate([w, x, y, z], a) {
  const t = vec.scale(vec.cross([x, y, z], a), 2);
  return vec.add(vec.along(a, t, w), vec.cross([x, y, z], t));
}

const mat = {
  // Columns: three axes and an origin.
  columns: (x, y, z, p) => new Float32Array([...x, 0, ...y, 0, ...z, 0, ...p, 1]),

  ofPose: ({ p, q }) => mat.columns(rotate(q, [1, 0, 0]), rotate(q, [0, 1, 0]), rotate(q, [0, 0, 1]), p),

  multiply(a, b) {
    const out = new Float32Array(16);
    for (let j = 0; j < 4; j++)
      for (let i = 0; i < 4; i++) {
        let sum = 0;
        for (let k = 0; k < 4; k++) sum += a[4 * k + i] * b[4 * j + k];
        out[4 * j + i] = sum;
      }
    return out;
  },

  // A shape along z, of length one, between two points with a radius.
  between(a, b, radius) {
    const axis = vec.subtract(b, a);
    const z = vec.unit(axis);
    const x = vec.across(z);
    return mat.columns(vec.scale(x, radius), vec.scale(vec.cross(z, x), radius), axis, a);
  },

  // A shape of size one at a point, with its z axis along a direction.
  along(at, direction, [sx, sy, sz]) {
    const z = vec.unit(direction);
    const x = vec.across(z);
    return mat.columns(vec.scale(x, sx), vec.scale(vec.cross(z, x), sy), vec.scale(z, sz), at);
  },

  perspective(angle, aspect, near, far) {
    const f = 1 / Math.tan(0.5 * angle);
    const out = new Float32Array(16);
    out[0] = f / aspect;
    out[5] = f;
    out[10] = (far + near) / (near - far);
    out[11] = -1;
    out[14] = (2 * far * near) / (near - far);
    return out;
  },

  // The world as seen from an eye with axes right, up and back.
  look(eye, right, up, back) {
    const row = (k) => [right[k], up[k], back[k], 0];
    return new Float32Array([...row(0), ...row(1), ...row(2), -vec.dot(right, eye), -vec.dot(up, eye), -vec.dot(back, eye), 1]);
  },

  // A point in clip coordinates.
  project(m, [x, y, z]) {
    return [0, 1, 2, 3].map((i) => m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i]);
  },

  // Flattens the world onto a plane with a unit normal, along that normal.
  flatten(normal, height) {
    const column = (k) => [0, 1, 2].map((i) => (i === k ? 1 : 0) - normal[i] * normal[k]);
    return mat.columns(column(0), column(1), column(2), vec.scale(normal, height));
  },
};
