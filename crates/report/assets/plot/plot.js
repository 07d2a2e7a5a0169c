// One plot on a canvas. It is drawn when it first comes into view.
const fewCurves = 12;

class Panel {
  constructor(section, description) {
    this.section = section;
    this.place = section.querySelector(".plot");
    this.curves = description.curves;
    this.log = description.log;
    this.style = description.style;
    this.stacked = false;
    // Values that strips are zoomed to, by unit.
    this.zoomed = new Map();
    this.drawn = false;
    this.visible = this.curves.map((_, i) => i < fewCurves);
    this.canvas = document.createElement("canvas");
    this.now = this.mark("line now");
    this.line = this.mark("line");
    this.held = this.mark("line held");
    this.selection = this.mark("selection");
    // Where the time axis lies, in pixels of the place.
    this.left = 60;
    this.width = 0;
  }

  mark(name) {
    const made = document.createElement("div");
    made.className = name;
    made.hidden = true;
    return made;
  }

  shown() {
    return this.curves.map((_, i) => i).filter((i) => this.visible[i]);
  }

  // The curves of each strip: those of one unit, or one by one.
  strips() {
    const shown = this.shown();
    if (!shown.length) return [shown];
    if (this.stacked) return shown.map((i) => [i]);
    const units = new Map();
    for (const i of shown) {
      const { unit } = this.curves[i];
      units.set(unit, [...(units.get(unit) ?? []), i]);
    }
    return [...units.values()];
  }

  // Heights of the strips and of the whole plot.
  heights(wide) {
    const count = this.strips().length;
    const narrow = wide < 560;
    const each = this.stacked ? 120 : count > 1 ? Math.max(130, Math.min(210, 620 / count)) : narrow ? 240 : 300;
    return count * each + 42;
  }

  // The strip at a height of the plot, with its values there.
  stripAt(y) {
    const strip = this.axes?.find(({ top, bottom }) => y >= top - 8 && y <= bottom + 8);
    const value = (at) => strip.low + ((strip.bottom - at) / (strip.bottom - strip.top)) * (strip.high - strip.low);
    return strip && { strip, value };
  }

  // Shows a range of values in a strip.
  zoomValues(strip, range) {
    this.zoomed.set(strip.unit, range);
    link.reset.hidden = false;
    this.redraw();
  }

  // The value as it is drawn: on a logarithmic axis its logarithm.
  lift(value) {
    return this.log ? (value > 0 ? Math.log10(value) : NaN) : value;
  }

  // Least and most of some curves within the visible times.
  extent(members) {
    const zoomed = members.length && this.zoomed.get(this.curves[members[0]].unit);
    if (zoomed && !this.stacked) return zoomed;
    const [from, to] = link.visible();
    let [low, high] = [Infinity, -Infinity];
    const own = members.map((i) => this.curves[i]);
    for (const curve of own.concat(own.map((curve) => curve.other).filter(Boolean))) {
      const [x, y] = [times(curve), values(curve)];
      const end = Math.min(x.length - 1, indexAt(x, to));
      for (let k = Math.max(0, indexAt(x, from) - 1); k <= end; k++) {
        const value = this.lift(y[k]);
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (!(low <= high)) return this.log ? [-1, 0] : [0, 1];
    const middle = 0.5 * (low + high);
    if (!this.log && own.length && Math.max(-low, high) < floorOf(own[0].unit)) return [-1, 1];
    // Single precision has no more to show than this.
    const least = this.log ? 0.3 : Math.max(Math.abs(middle) * 2e-6, 1e-30);
    const span = Math.max(high - low, least);
    if (!this.log && high - low < least && middle === 0) return [-1, 1];
    return [middle - 0.54 * span, middle + 0.54 * span];
  }

  draw() {
    if (!this.drawn) {
      this.drawn = true;
      this.place.append(this.canvas, this.selection, this.held, this.line, this.now);
      new ResizeObserver(() => this.paint()).observe(this.place);
      this.legend?.fill();
      attachGestures(this);
    }
    this.paint();
  }

  redraw() {
    if (!this.drawn) return;
    this.paint();
    this.refresh?.();
  }

  paint() {
    const wide = this.place.clientWidth;
    if (wide < 20) return;
    const height = this.heights(wide);
    this.place.style.height = height + "px";
    const context = sharpen(this.canvas, wide, height);
    this.render(context, wide, height);
    this.point(link.hover);
    this.atTime(clock.t);
  }

  // Draws everything but the cursors; also for pictures that are saved.
  render(context, wide, height) {
    const strips = this.strips();
    const each = (height - 42) / strips.length;
    const axes = strips.map((members) => {
      const [low, high] = this.extent(members);
      const count = Math.max(2, Math.min(8, Math.floor(each / 38)));
      const { unit = "" } = this.curves[members[0]] ?? {};
      return { low, high, unit, ticks: (this.log ? logTicks : linearTicks)(low, high, count, unit) };
    });
    this.axes = axes;
    context.font = fontOf(12);
    const labels = axes.flatMap((axis) => axis.ticks.labels).map((label) => context.measureText(label).width);
    this.left = Math.ceil(Math.max(24, ...labels)) + 30;
    this.width = Math.max(10, wide - this.left - 14);
    this.top = 14;
    this.bottom = height - 42;
    this.drawTimes(context, height);
    strips.forEach((members, k) => {
      const gap = strips.length > 1 ? 18 : 14;
      Object.assign(axes[k], { top: k * each + gap, bottom: (k + 1) * each });
      this.drawStrip(context, members, axes[k], axes[k].top, axes[k].bottom);
    });
  }

  x(t) {
    const [from, to] = link.visible();
    return this.left + ((t - from) / (to - from)) * this.width;
  }

  timeAt(x) {
    const [from, to] = link.visible();
    return from + ((x - this.left) / this.width) * (to - from);
  }

  drawTimes(context, height) {
    const [from, to] = link.visible();
    const { values: ticks, labels, unit } = linearTicks(from, to, Math.max(2, this.width / 90), data.time);
    context.textAlign = "center";
    context.textBaseline = "top";
    context.strokeStyle = token("--grid");
    context.lineWidth = 1;
    const base = height - 42;
    ticks.forEach((t, k) => {
      const x = Math.round(this.x(t)) + 0.5;
      context.beginPath();
      context.moveTo(x, this.top);
      context.lineTo(x, base);
      context.stroke();
      context.fillStyle = token("--soft");
      context.fillText(labels[k], x, base + 6);
    });
    context.fillText("time" + (unit ? " [" + unit + "]" : ""), this.left + 0.5 * this.width, base + 23);
  }

  drawStrip(context, members, { low, high, ticks }, top, bottom) {
    const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - top);
    context.lineWidth = 1;
    context.textAlign = "right";
    context.textBaseline = "middle";
    ticks.values.forEach((value, k) => {
      const at = Math.round(y(value)) + 0.5;
      context.strokeStyle = !this.log && value === 0 ? token("--rule") : token("--grid");
      context.beginPath();
      context.moveTo(this.left, at);
      context.lineTo(this.left + this.width, at);
      context.stroke();
      context.fillStyle = token("--soft");
      context.fillText(ticks.labels[k], this.left - 7, at);
    });
    context.strokeStyle = token("--rule");
    context.strokeRect(this.left + 0.5, top + 0.5, this.width - 1, bottom - top - 1);
    this.drawTitle(context, members, ticks.unit, top, bottom);
    context.save();
    context.beginPath();
    context.rect(this.left, top - 3, this.width, bottom - top + 6);
    context.clip();
    for (const i of members) {
      // Of another run beside it, the other is dashed.
      if (this.curves[i].other) this.drawCurve(context, this.curves[i].other, i, y, [5, 4]);
      this.drawCurve(context, this.curves[i], i, y, dash(i));
    }
    context.restore();
  }

  drawTitle(context, members, unit, top, bottom) {
    const name = this.stacked && members.length ? this.curves[members[0]].name : "";
    const title = [name, unit && "[" + unit + "]"].filter(Boolean).join(" ");
    context.save();
    context.fillStyle = token("--soft");
    context.textAlign = "center";
    context.textBaseline = "top";
    context.translate(3, 0.5 * (top + bottom));
    context.rotate(-0.5 * Math.PI);
    context.fillText(title, 0, 0, bottom - top + 16);
    context.restore();
  }

  drawCurve(context, curve, i, y, dashes) {
    const [x, v] = [times(curve), values(curve)];
    const [from, to] = link.visible();
    const first = Math.max(0, indexAt(x, from) - 1);
    const last = Math.min(x.length - 1, indexAt(x, to) + 1);
    context.strokeStyle = context.fillStyle = colour(i);
    context.lineWidth = 1.6;
    context.lineJoin = "round";
    if (this.style === "marks" || x.length === 1) {
      for (let k = first; k <= last; k++) {
        const at = y(this.lift(v[k]));
        if (!Number.isFinite(at)) continue;
        context.beginPath();
        context.arc(this.x(x[k]), at, 3, 0, 2 * Math.PI);
        context.fill();
      }
      return;
    }
    context.setLineDash(dashes);
    context.beginPath();
    let pen = false;
    for (let k = first; k <= last; k++) {
      const at = y(this.lift(v[k]));
      const here = this.x(x[k]);
      if (!Number.isFinite(at)) {
        pen = false;
        continue;
      }
      // A stair holds for the step before its time.
      if (this.style === "stairs") {
        const before = this.x(k ? x[k - 1] : clock.range[0]);
        pen ? context.lineTo(before, at) : context.moveTo(before, at);
        context.lineTo(here, at);
      } else pen ? context.lineTo(here, at) : context.moveTo(here, at);
      pen = true;
    }
    context.stroke();
    context.setLineDash([]);
  }

  // Moves a cursor to a time, or hides it.
  move(line, t) {
    const x = t === null ? NaN : this.x(t);
    line.hidden = !(x >= this.left - 0.5 && x <= this.left + this.width + 0.5);
    if (line.hidden) return;
    line.style.left = x + "px";
    line.style.top = this.top + "px";
    line.style.height = this.bottom - this.top + "px";
  }

  // The cursor under the mouse.
  point(t) {
    if (this.drawn) this.move(this.line, t);
  }

  // The cursor that was put down, to which differences are counted.
  hold(t) {
    if (this.drawn) this.move(this.held, t);
  }

  // The cursor of the animation.
  atTime(t) {
    if (this.drawn) this.move(this.now, t);
  }
}
