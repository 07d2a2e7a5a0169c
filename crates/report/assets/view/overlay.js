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

  // Names beside their bodies; where one would cover another it moves away, with a line back, or is left out.
  labels(context, seen, width, height) {
    context.textAlign = "left";
    context.textBaseline = "middle";
    const { mechanism } = this.viewer;
    const [tall, gap] = [15, 9];
    const taken = [...this.occupied];
    const free = (box) => box[0] >= 2 && box[2] <= width - 2 && box[1] >= 2 && box[3] <= height - 2 && taken.every((other) => box[2] < other[0] || box[0] > other[2] || box[3] < other[1] || box[1] > other[3]);
    this.placed = [];
    mechanism.bodies.forEach((body, k) => {
      if (k === 0 || body.hidden || body.leader !== k) return;
      const at = this.pixel(seen, mechanism.middleOf(k), width, height);
      if (!at || at[0] < 0 || at[1] < 0 || at[0] > width || at[1] > height) return;
      const text = body.name.replaceAll("_", " ");
      const long = context.measureText(text).width;
      for (const away of [1, 2, 3.2, 4.6])
        for (const [dx, dy] of [[1, -1], [1, 1], [-1, -1], [-1, 1], [0, -1.6], [0, 1.6]]) {
          const x = at[0] + away * gap * dx - (dx < 0 ? long : dx === 0 ? 0.5 * long : 0);
          const y = at[1] + away * gap * dy;
          const box = [x - 2, y - 0.5 * tall, x + long + 2, y + 0.5 * tall];
          if (!free(box)) continue;
          taken.push(box);
          this.placed.push({ text, box });
          if (away > 1.5) {
            context.strokeStyle = token("--soft");
            context.lineWidth = 1;
            context.beginPath();
            context.moveTo(...at);
            context.lineTo(Math.max(box[0], Math.min(box[2], at[0])), y);
            context.stroke();
          }
          this.write(context, text, x, y);
          return;
        }
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
    const lines = ["grid " + measured(viewer.ground.step, "m")];
    if (viewer.show.forces && viewer.perNewton > 0) {
      const newtons = roundStep((0.2 * viewer.extent()) / (viewer.crowd * viewer.perNewton));
      lines.push("arrow of " + measured(newtons * viewer.perNewton, "m", 2) + ": " + measured(newtons, "N"));
    }
    lines.forEach((line, k) => this.write(context, line, width - 10, height - 10 - 17 * k, token("--soft")));
    this.occupied = [[width - 190, height - 45, width, height], [0, height - 70, 70, height]];
    const { quantities, quantity } = viewer.mechanism;
    const field = quantities.get(quantity);
    if (field) this.colours(context, field, width);
  }

  // The scale of colours, with round numbers and the unit.
  colours(context, field, width) {
    const [low, high] = heatRange(field);
    const [wide, y] = [Math.min(220, 0.5 * width), 24];
    const x = width - 22 - wide;
    // what is behind would make it hard to read
    context.globalAlpha = 0.75;
    context.fillStyle = token("--card");
    context.fillRect(x - 20, 2, width - x + 18, 46);
    context.globalAlpha = 1;
    for (let k = 0; k < wide; k++) {
      context.fillStyle = "rgb(" + heat(k / (wide - 1), low < 0 && high > 0).map((part) => Math.round(255 * part)).join(" ") + ")";
      context.fillRect(x + k, y, 1.5, 9);
    }
    const { values, labels, unit } = linearTicks(low, high, 4, field.unit);
    this.write(context, field.quantity + (unit ? " [" + unit + "]" : ""), width - 14, 16);
    context.textAlign = "center";
    context.textBaseline = "top";
    context.strokeStyle = token("--ink");
    values.forEach((value, k) => {
      const at = x + ((value - low) / (high - low)) * wide;
      context.fillStyle = token("--ink");
      context.fillRect(at, y, 1, 12);
      this.write(context, labels[k], at, y + 13);
    });
    this.occupied.push([x - 20, 0, width, y + 30]);
  }
}
