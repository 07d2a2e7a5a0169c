// Charts of many cases. A click on a point says which case it is, shows it in all charts and in the table, and how to run it alone.
const link = { visible: () => [0, 1] };

class Chart {
  constructor(description, number) {
    Object.assign(this, description);
    this.hidden = new Set();
    this.zoom = null;
    this.section = document.createElement("section");
    this.section.className = "study";
    const heading = document.createElement("h2");
    heading.textContent = this.title;
    const header = document.createElement("header");
    const controls = document.createElement("div");
    controls.className = "controls";
    controls.append(
      button("PNG", "The chart as a picture", () => this.canvas.toBlob((blob) => save(`chart-${number + 1}.png`, blob))),
    );
    header.append(heading, controls);
    this.place = document.createElement("div");
    this.place.className = "chart";
    this.canvas = document.createElement("canvas");
    this.place.append(this.canvas);
    this.legend = document.createElement("div");
    this.legend.className = "legend";
    if (this.series.length > 1) this.legend.append(...this.series.map((one, k) => this.row(one, k)));
    this.section.append(header, this.place, this.legend);
    document.querySelector(".charts").append(this.section);
    this.gestures();
    new ResizeObserver(() => this.draw()).observe(this.place);
  }

  row(one, k) {
    const made = button("", "Show or hide", () => {
      if (!this.hidden.delete(k)) this.hidden.add(k);
      made.setAttribute("aria-pressed", String(!this.hidden.has(k)));
      this.draw();
    });
    made.setAttribute("aria-pressed", "true");
    const swatch = document.createElement("i");
    swatch.style.borderColor = `var(--c${k % colourCount})`;
    if (one.guide) swatch.style.borderTopStyle = "dashed";
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = one.name;
    made.append(swatch, name);
    return made;
  }

  draw() {
    const wide = this.place.clientWidth;
    if (wide < 40) return;
    const shown = this.series.map((one, k) => ({ ...one, unit: this.y.unit, shade: k })).filter((_, k) => !this.hidden.has(k));
    this.drawn = drawChart(this.canvas, wide, shown, { axis: this.x, zoom: this.zoom, log: false, now: { case: picked.case }, label: this.y.name });
    this.shown = shown;
  }

  // The point nearest to a place, if it is near.
  nearest([x, y]) {
    let [best, least] = [null, 24];
    for (const one of this.shown)
      for (let k = 0; k < (one.cases ?? []).length; k++) {
        const far = Math.hypot(this.drawn.px(one.x[k]) - x, this.drawn.py(0, one.y[k]) - y);
        if (far < least) [best, least] = [one.cases[k], far];
      }
    return best;
  }

  gestures() {
    let start = null;
    const at = (event) => {
      const box = this.canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    this.place.addEventListener("pointerdown", (event) => {
      start = at(event);
      this.place.setPointerCapture(event.pointerId);
    });
    this.place.addEventListener("pointerup", (event) => {
      const end = at(event);
      if (!start || !this.drawn) return;
      const [x, y] = [0, 1].map((k) => [start[k], end[k]].sort((a, b) => a - b));
      start = null;
      if (x[1] - x[0] < 6 && y[1] - y[0] < 6) {
        const found = this.nearest(end);
        if (found !== null) picked.show(found);
        return;
      }
      this.zoom = { x: x[1] - x[0] < 6 ? this.drawn.xRange : x.map(this.drawn.xAt), y: y[1] - y[0] < 6 ? null : { strip: 0, range: y.map((pixel) => this.drawn.yAt(0, pixel)).sort((a, b) => a - b) } };
      this.draw();
    });
    this.place.addEventListener("dblclick", () => {
      this.zoom = null;
      this.draw();
    });
  }
}

// The case that is looked at.
const picked = {
  case: null,
  place: document.querySelector(".picked"),

  show(number) {
    this.case = number === null ? null : Math.max(0, Math.min(data.cases.length - 1, number));
    this.place.hidden = this.case === null;
    for (const row of document.querySelectorAll("tr[data-case]")) row.setAttribute("aria-current", String(Number(row.dataset.case) === this.case));
    charts.forEach((chart) => chart.draw());
    history.replaceState(null, "", this.case === null ? location.pathname : "#case=" + (this.case + 1));
    if (this.case === null) return;
    const { name, facts, command } = data.cases[this.case];
    this.place.querySelector("h2").textContent = name;
    this.place.querySelector(".facts").replaceChildren(
      ...facts.map(([key, value]) => {
        const row = document.createElement("tr");
        for (const [kind, text] of [["th", key], ["td", value]]) row.append(Object.assign(document.createElement(kind), { textContent: text }));
        return row;
      }),
    );
    this.place.querySelector(".command").hidden = !command;
    this.place.querySelector("code").textContent = command;
  },
};

const charts = [];
data.charts.forEach((description, number) => charts.push(new Chart(description, number)));
document.querySelectorAll("tr[data-case]").forEach((row) => row.addEventListener("click", () => picked.show(Number(row.dataset.case))));
picked.place.querySelectorAll(".step").forEach((step) => step.addEventListener("click", () => picked.show(picked.case + Number(step.value))));
picked.place.querySelector(".leave").addEventListener("click", () => picked.show(null));
picked.place.querySelector(".copy").addEventListener("click", () => navigator.clipboard?.writeText(picked.place.querySelector("code").textContent).catch(() => {}));
addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || picked.case === null || event.target.matches("input, select")) return;
  event.preventDefault();
  picked.show(picked.case + step);
});
const asked = () => {
  const [, number] = /^#case=(\d+)$/.exec(location.hash) ?? [];
  if (number) picked.show(Number(number) - 1);
};
asked();
addEventListener("hashchange", asked);
const redraw = () => charts.forEach((chart) => chart.draw());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
matchMedia("print").addEventListener("change", redraw);
window.study = { charts, picked };
