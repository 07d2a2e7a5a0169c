// One time axis for all plots: zoom and cursor are shared.
const view = { range: null, whole: data.range ?? undefined };

const link = {
  panels: [],
  frame: 0,
  busy: false,
  reset: document.querySelector(".reset"),
  clock: document.querySelector(".cursor-time"),

  zoomed(source, change) {
    if (this.busy) return;
    const range = change["xaxis.range"] ?? (change["xaxis.range[0]"] !== undefined ? [change["xaxis.range[0]"], change["xaxis.range[1]"]] : null);
    if (range) this.show(range.slice(), source);
    else if (change["xaxis.autorange"]) this.show(null, null);
  },

  async show(range, source) {
    view.range = range;
    this.reset.hidden = range === null;
    this.busy = true;
    const changes = this.panels
      .filter((panel) => panel.drawn && panel !== source)
      .map((panel) => Plotly.relayout(panel.place, { "xaxis.range": (view.range ?? view.whole)?.slice() }));
    await Promise.all(changes);
    this.busy = false;
  },

  follow(panel) {
    const { place } = panel;
    place.addEventListener("pointermove", (event) => {
      const axis = panel.axis();
      if (!axis) return;
      const x = event.clientX - place.getBoundingClientRect().left - axis._offset;
      this.point(x >= 0 && x <= axis._length ? axis.p2d(x) : null);
    });
    place.addEventListener("pointerleave", (event) => {
      // A finger that is lifted leaves its reading behind.
      if (event.pointerType === "mouse") this.point(null);
    });
  },

  point(t) {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      this.clock.textContent = t === null ? "" : "t = " + String(Number(t.toPrecision(5))) + timeUnit;
      for (const panel of this.panels.filter((panel) => panel.drawn)) {
        panel.point(t);
        panel.legend.point(t);
      }
    });
  },
};
