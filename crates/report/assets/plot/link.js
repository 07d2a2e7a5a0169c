// One time axis for all plots: zoom and cursors are shared.
const link = {
  panels: [],
  range: null,
  hover: null,
  held: null,
  frame: 0,
  reset: document.querySelector(".reset"),
  clock: document.querySelector(".cursor-time"),

  // The visible times.
  visible() {
    if (this.range) return this.range;
    const [first, last] = clock.range;
    return last > first ? [first, last] : [first - 0.5, first + 0.5];
  },

  // Shows a range of times, or all of them.
  show(range) {
    const [first, last] = clock.range;
    if (range) {
      const [from, to] = [Math.max(first, range[0]), Math.min(last, range[1])];
      // Times are told apart to about twelve digits.
      if (!(to - from > 1e-12 * Math.max(Math.abs(from), Math.abs(to), last - first))) return;
      range = from <= first && to >= last ? null : [from, to];
    }
    this.range = range;
    if (range === null) this.panels.forEach((panel) => panel.zoomed.clear());
    this.reset.hidden = range === null && this.panels.every((panel) => !panel.zoomed.size);
    this.changed?.();
    for (const panel of this.panels) panel.redraw();
  },

  zoom(about, factor) {
    const [from, to] = this.visible();
    this.show([about + (from - about) * factor, about + (to - about) * factor]);
  },

  // The time under the mouse, or null.
  point(t) {
    this.hover = t;
    this.later();
  },

  // Puts a cursor down, or takes it away if it is there already.
  hold(t) {
    const [from, to] = this.visible();
    this.held = this.held !== null && Math.abs(t - this.held) < 0.01 * (to - from) ? null : t;
    this.later();
  },

  later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.now());
  },

  now() {
    const read = this.hover ?? clock.t;
    const apart = this.held === null ? "" : ", Δt = " + measured(read - this.held, data.time) + (read !== this.held && data.time === "s" ? " (" + measured(1 / Math.abs(read - this.held), "Hz") + ")" : "");
    this.clock.textContent = "t = " + String(Number(read.toPrecision(5))) + timeUnit + apart;
    for (const panel of this.panels) {
      if (!panel.drawn) continue;
      panel.point(this.hover);
      panel.hold(this.held);
      panel.atTime(clock.t);
      panel.legend.point(read);
    }
  },
};
clock.follow(() => link.later());
