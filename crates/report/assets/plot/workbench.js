// The workbench: any curves of the page over time, against each other, or as spectra, found by a search over all of them.
class Workbench {
  constructor(section) {
    this.section = section;
    this.find = (name) => section.querySelector(name);
    this.chosen = [];
    this.zoom = null;
    this.curves = link.panels.flatMap((panel) => panel.curves.map((curve) => ({ curve, panel })));
    this.canvas = document.createElement("canvas");
    this.find(".chart").append(this.canvas);
    this.search();
    const kinds = [["time", "over time"], ["spectrum", "spectrum"], ["against", "against the first"]];
    this.kind = this.find(".kind");
    this.kind.append(...kinds.map(([value, text]) => new Option(text, value)));
    this.window = this.find(".window");
    this.window.append(...Object.keys(windows).map((name) => new Option(name, name)));
    for (const choice of [this.kind, this.window])
      choice.addEventListener("change", () => {
        this.zoom = null;
        this.draw();
      });
    this.gestures();
    new ResizeObserver(() => this.draw()).observe(this.find(".chart"));
    clock.follow(() => this.chosen.length && this.later());
    this.find(".csv").addEventListener("click", () => save("curves.csv", new Blob([this.table()], { type: "text/csv" })));
    this.find(".png").addEventListener("click", () => this.canvas.toBlob((blob) => save("curves.png", blob)));
  }

  // What fits all words that are typed, in any order.
  search() {
    const [input, list] = [this.find(".search"), this.find(".found")];
    input.placeholder = `find among ${this.curves.length} curves`;
    const look = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const fits = this.curves.filter(({ curve, panel }) => words.every((word) => (curve.name + " " + panel.title).toLowerCase().includes(word)));
      list.replaceChildren(
        ...(words.length ? fits.slice(0, 60) : []).map(({ curve, panel }) => {
          const made = button(curve.name, panel.title, () => this.add(curve, panel));
          const small = document.createElement("small");
          small.textContent = panel.title + (curve.unit ? ", " + curve.unit : "");
          made.append(small);
          return made;
        }),
      );
      this.find(".count").textContent = words.length ? fits.length + " found" : "";
    };
    input.addEventListener("input", look);
  }

  add(curve, panel) {
    if (this.chosen.some((own) => own.curve === curve)) return;
    this.chosen.push({ curve, style: panel.style });
    this.zoom = null;
    this.list();
    this.draw();
  }

  list() {
    this.find(".chosen").replaceChildren(
      ...this.chosen.map((own, k) => {
        const made = button(own.curve.name + " ×", "Take it out", () => {
          this.chosen.splice(k, 1);
          this.zoom = null;
          this.list();
          this.draw();
        });
        made.style.borderColor = colour(k);
        return made;
      }),
    );
  }

  // Points of the chart: x, y, name, units.
  series() {
    const [from, to] = link.visible();
    const own = this.chosen;
    if (this.kind.value === "spectrum") return own.map(({ curve }) => spectrumOf(curve, [from, to], this.window.value)).map((found, k) => ({ ...found, name: own[k].curve.name, unit: own[k].curve.unit }));
    if (this.kind.value === "against") {
      const [first, ...others] = own;
      if (!first) return [];
      const t = times(first.curve).filter((t) => t >= from && t <= to);
      const x = Array.from(t, (t) => valueAt(first.curve, t, first.style));
      return others.map(({ curve, style }) => ({ x, y: Array.from(t, (t) => valueAt(curve, t, style)), name: curve.name, unit: curve.unit, t }));
    }
    return own.map(({ curve }) => ({ x: times(curve), y: values(curve), name: curve.name, unit: curve.unit }));
  }

  axis() {
    if (this.kind.value === "spectrum") return { name: "frequency", unit: data.time === "s" ? "Hz" : "1/" + (data.time || "time") };
    if (this.kind.value === "against" && this.chosen[0]) return { name: this.chosen[0].curve.name, unit: this.chosen[0].curve.unit };
    return { name: "time", unit: data.time };
  }

  later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    const wide = this.find(".chart").clientWidth;
    this.window.hidden = this.kind.value !== "spectrum";
    const series = this.chosen.length ? this.series() : [];
    this.find(".chart").hidden = !series.length;
    this.find(".peaks").replaceChildren();
    if (!series.length || wide < 40) return;
    const now = this.kind.value === "time" ? { x: clock.t } : this.kind.value === "against" ? { t: clock.t } : null;
    this.drawn = drawChart(this.canvas, wide, series, { axis: this.axis(), zoom: this.zoom, log: this.kind.value === "spectrum", now });
    if (this.kind.value === "spectrum") this.peaks(series);
  }

  // The highest peaks of each spectrum, as a table.
  peaks(series) {
    const { unit } = this.axis();
    const rows = series.map(({ name, unit: own, peaks, note }) => {
      const made = document.createElement("p");
      made.textContent = name + ": " + (peaks.map(([f, a]) => measured(f, unit) + " (" + measured(a, own) + ")").join(", ") || "no peaks") + (note ? " — " + note : "");
      return made;
    });
    this.find(".peaks").replaceChildren(...rows);
  }

  // Drag to zoom into both axes, double-click to zoom out.
  gestures() {
    const place = this.find(".chart");
    let start = null;
    const at = (event) => {
      const box = this.canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    place.addEventListener("pointerdown", (event) => {
      start = at(event);
      place.setPointerCapture(event.pointerId);
    });
    place.addEventListener("pointerup", (event) => {
      const end = at(event);
      if (!start || !this.drawn) return;
      const [x, y] = [0, 1].map((k) => [start[k], end[k]].sort((a, b) => a - b));
      start = null;
      if (x[1] - x[0] < 6 && y[1] - y[0] < 6) return;
      this.zoom = { x: x[1] - x[0] < 6 ? this.drawn.xRange : x.map(this.drawn.xAt), y: y[1] - y[0] < 6 ? null : { strip: this.drawn.stripAt(y[0]), pixels: y } };
      if (this.zoom.y) this.zoom.y.range = y.map((pixel) => this.drawn.yAt(this.zoom.y.strip, pixel)).sort((a, b) => a - b);
      this.draw();
    });
    place.addEventListener("dblclick", () => {
      this.zoom = null;
      this.draw();
    });
  }

  table() {
    const series = this.series();
    const axis = this.axis();
    const head = series.flatMap(({ name, unit }) => [axis.name + (axis.unit ? " [" + axis.unit + "]" : ""), name + (unit ? " [" + unit + "]" : "")]);
    const most = Math.max(0, ...series.map(({ x }) => x.length));
    const lines = [head.map(quoted).join(",")];
    for (let k = 0; k < most; k++) lines.push(series.flatMap(({ x, y }) => (k < x.length ? [x[k], y[k]] : ["", ""])).join(","));
    return lines.join("\n") + "\n";
  }
}
