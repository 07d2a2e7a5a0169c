// Names, axes and scales, written over the picture.
class Overlay {
  constructor(viewer) {
    this.viewer = viewer;
    this.canvas = viewer.place.querySelector(".overlay");
  }

  // A point of the world in pixels; null behind the eye.
  pixel(seen, point, width, height) {
    const [x, y, , w] = mat.project(seen.camera, point);
    return w > 0 ? [(0.5 + (0.5 * x) / w) * width, (0.5 - (0.5 * y) / w) * height] : null;
  }

  draw(seen, width, height) {
    const context = sharpen(this.canvas, width, height);
    context.clearRect(0, 0, width, height);
    context.font = fontOf(12);
    context.lineJoin = "round";
    this.triad(context, seen, height);
    this.scales(context, width, height);
    if (this.viewer.show.labels) this.labels(context, seen, width, height);
  }

  write(context, text, x, y, colour = token("--ink")) {
    context.strokeStyle = token("--card");
    context.lineWidth = 3.5;
    context.strokeText(text, x, y);
    context.fillStyle = colour;
    context.fillText(text, x, y);
  }

  labels(context, seen, width, height) {
    context.textAlign = "left";
    context.textBaseline = "middle";
    const { mechanism } = this.viewer;
    mechanism.bodies.forEach((body, k) => {
      if (k === 0 || body.hidden || body.leader !== k) return;
      const at = this.pixel(seen, mechanism.poses[k].p, width, height);
      if (at) this.write(context, body.name.replaceAll("_", " "), at[0] + 9, at[1] - 9);
    });
  }

  // The directions x, y, z in the corner.
  triad(context, seen, height) {
    const middle = [34, height - 34];
    const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis, k) => ({
      x: vec.dot(axis, seen.right),
      y: vec.dot(axis, seen.up),
      near: vec.dot(axis, seen.back),
      name: "xyz"[k],
      colour: token(["--c1", "--c2", "--c0"][k]),
    }));
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const axis of axes.sort((a, b) => a.near - b.near)) {
      context.strokeStyle = axis.colour;
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(...middle);
      context.lineTo(middle[0] + 20 * axis.x, middle[1] - 20 * axis.y);
      context.stroke();
      if (Math.hypot(axis.x, axis.y) > 0.2) this.write(context, axis.name, middle[0] + 28 * axis.x, middle[1] - 28 * axis.y, axis.colour);
    }
  }

  // How wide the grid is, how long an arrow, and what colours mean.
  scales(context, width, height) {
    context.textAlign = "right";
    context.textBaseline = "alphabetic";
    const { viewer } = this;
    const lines = ["grid " + readable(viewer.ground.step) + " m"];
    if (viewer.show.forces && viewer.perNewton > 0) {
      const newtons = roundStep((0.2 * viewer.extent()) / (viewer.crowd * viewer.perNewton));
      lines.push("arrow of " + readable(newtons * viewer.perNewton) + " m: " + readable(newtons) + " N");
    }
    lines.forEach((line, k) => this.write(context, line, width - 10, height - 10 - 17 * k, token("--soft")));
    const { tubes, skins } = viewer.mechanism;
    const quantities = new Map([...skins, ...tubes].filter((shown) => shown.values.length).map((shown) => [shown.quantity, shown]));
    [...quantities.values()].forEach((shown, row) => {
      const [low, high] = heatRange(shown);
      const [x, y] = [width - 130, 22 + 34 * row];
      for (let k = 0; k < 120; k++) {
        context.fillStyle = "rgb(" + heat(k / 119, low < 0 && high > 0).map((part) => Math.round(255 * part)).join(" ") + ")";
        context.fillRect(x + k, y + 6, 1.5, 8);
      }
      this.write(context, shown.quantity + ": " + readable(low) + " to " + readable(high), width - 10, y);
    });
  }
}
