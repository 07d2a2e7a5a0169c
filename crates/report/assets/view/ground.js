// What the mechanism stands on: a level grid, planes of contacts, and the shadow.
class Ground {
  // The grid lies in a plane of the ground that is level, else below everything.
  constructor(viewer) {
    this.viewer = viewer;
    const { mechanism } = viewer;
    const { vertical } = viewer.camera;
    const level = mechanism.bodies[0].planes.find((plane) => vec.dot(rotate(plane.slice(3), [0, 0, 1]), vertical) > 0.999);
    const { low, high } = mechanism.whole.box;
    const lowest = Math.min(...cornersOf(low, high).map((corner) => vec.dot(corner, vertical)));
    const height = level ? vec.dot(level.slice(0, 3), vertical) : lowest - 0.04 * mechanism.size;
    const step = roundStep(viewer.extent() / 6);
    const half = Math.min(300, Math.ceil((1.2 * mechanism.whole.radius + 6 * viewer.extent()) / step));
    const side = Camera.nearestAxis(vec.across(vertical));
    const other = vec.cross(vertical, side);
    const middle = mechanism.whole.centre;
    const snap = (axis) => Math.round(vec.dot(middle, axis) / step);
    const [a, b] = [snap(side), snap(other)];
    const at = (i, j) => vec.along(vec.along(vec.scale(vertical, height), side, (a + i) * step), other, (b + j) * step);
    // In pieces: some devices drop a line that passes behind the eye.
    const pieces = Math.min(2 * half, 50);
    const lines = [];
    for (let k = -half; k <= half; k++)
      for (let i = 0; i < pieces; i++) {
        const [from, to] = [(2 * half * i) / pieces - half, (2 * half * (i + 1)) / pieces - half];
        lines.push(...at(k, from), ...at(k, to), ...at(from, k), ...at(to, k));
      }
    Object.assign(this, { height, step, lines, plane: Boolean(level) });
  }

  // The point of the ground below another.
  below(point) {
    const { vertical } = this.viewer.camera;
    return vec.along(point, vertical, this.height - vec.dot(point, vertical));
  }

  load(device) {
    this.grid = device.upload({ corners: this.lines });
    const cells = [];
    for (let k = -5; k <= 5; k++) cells.push(k / 5, -1, 0, k / 5, 1, 0, -1, k / 5, 0, 1, k / 5, 0);
    this.cells = device.upload({ corners: cells });
  }

  // Grid, planes and shadow, seen through.
  draw(device) {
    const { mechanism, show } = this.viewer;
    const { gl } = device;
    const identity = mat.ofPose(origin);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    device.drawLines(this.grid, { model: identity, colour: rgb(token("--soft")), alpha: 0.38, reach: 6 * this.viewer.extent() });
    mechanism.bodies.forEach((body, k) => {
      if (body.hidden) return;
      for (const plane of body.planes) {
        const model = mat.multiply(mat.ofPose(mechanism.poses[k]), mat.ofPose({ p: plane.slice(0, 3), q: plane.slice(3) }));
        if (this.isGround(model)) continue;
        this.patch(device, model, body);
      }
    });
    if (show.shadow) this.shadow(device);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  // A plane without end is shown by a patch of it with a grid: about its origin if that is near what moves, else below it.
  patch(device, model, body) {
    const { mechanism, meshes } = this.viewer;
    const normal = [model[8], model[9], model[10]];
    const own = [model[12], model[13], model[14]];
    const { centre, radius } = mechanism.whole;
    const foot = vec.along(centre, normal, -vec.dot(normal, vec.subtract(centre, own)));
    const near = vec.length(vec.subtract(own, foot)) < 0.8 * radius;
    model.set(near ? own : foot, 12);
    const half = 0.45 * Math.max(radius, 0.5 * mechanism.size);
    const scaled = mat.multiply(model, mat.columns([half, 0, 0], [0, half, 0], [0, 0, 1], [0, 0, 0]));
    device.drawLines(this.cells, { model: scaled, colour: body.colour, alpha: 0.75 });
    const sheet = mat.multiply(model, mat.columns([2 * half, 0, 0], [0, 2 * half, 0], [0, 0, 1e-6 * half], [0, 0, -1e-4 * half]));
    device.drawSolid(meshes.box, { model: sheet, colour: body.colour, alpha: 0.12, plain: 1 });
  }

  // Whether a plane is the one with the grid, which needs no sheet.
  isGround(model) {
    const { vertical } = this.viewer.camera;
    const off = vec.dot([model[12], model[13], model[14]], vertical) - this.height;
    return vec.dot([model[8], model[9], model[10]], vertical) > 0.999 && Math.abs(off) < 1e-3 * this.viewer.mechanism.size;
  }

  // Each pixel of the floor is darkened once.
  shadow(device) {
    const { camera } = this.viewer;
    const { gl } = device;
    const flat = mat.flatten(camera.vertical, this.height + 2e-4 * this.viewer.mechanism.size);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    this.viewer.solids((mesh, values) => {
      device.drawSolid(mesh, { ...values, model: mat.multiply(flat, values.model), colour: [0, 0, 0], shaded: 0, alpha: 0.16, plain: 1 });
    });
    gl.disable(gl.STENCIL_TEST);
  }
}
