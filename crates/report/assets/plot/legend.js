// The legend under a plot: switches for the curves, and their values at the cursor.
class Legend {
  constructor(panel) {
    this.panel = panel;
    this.place = panel.section.querySelector(".legend");
    this.controls = panel.section.querySelector(".controls");
    this.rows = [];
    if (panel.curves.length > 1) this.addControls();
    this.controls.append(statisticsButton(panel), ...downloadButtons(panel));
  }

  // Made when the plot first comes into view: a page may have thousands of curves.
  fill() {
    this.rows = this.panel.curves.map((curve, i) => this.row(curve, i));
    this.place.append(...this.rows.map((row) => row.button));
    this.update();
  }

  row(curve, i) {
    const title = curve.name + (curve.unit ? " [" + curve.unit + "]" : "") + " — double-click for this alone";
    const made = button("", title, () => this.toggle(i));
    const swatch = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    swatch.setAttribute("width", "22");
    swatch.setAttribute("height", "10");
    const stroke = document.createElementNS("http://www.w3.org/2000/svg", "path");
    stroke.setAttribute("d", "M0 5H22");
    stroke.setAttribute("stroke-width", "2.5");
    stroke.setAttribute("stroke", "var(--c" + (i % colourCount) + ")");
    if (dash(i).length) stroke.setAttribute("stroke-dasharray", dash(i).join(" "));
    swatch.append(stroke);
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = curve.name;
    const value = document.createElement("span");
    value.className = "value";
    made.append(swatch, name, value);
    made.addEventListener("dblclick", () => this.only((_, k) => k === i));
    return { button: made, value };
  }

  addControls() {
    const { curves } = this.panel;
    const groups = [...new Set(curves.map((curve) => curve.group))].filter(Boolean);
    const choices = [["first " + fewCurves, (_, i) => i < fewCurves], ["all " + curves.length, () => true], ["none", () => false]];
    if (curves.length <= fewCurves) choices.shift();
    for (const group of groups.length > 1 ? groups : []) choices.push([group, (curve) => curve.group === group]);
    if (curves.length > 3) {
      const select = document.createElement("select");
      select.setAttribute("aria-label", "Curves shown");
      select.append(...choices.map(([name], k) => new Option("show " + name, k)));
      select.addEventListener("change", () => this.only(choices[select.value][1]));
      this.controls.append(select);
    }
    if (curves.length > fewCurves) {
      const search = document.createElement("input");
      search.type = "search";
      search.placeholder = "find a curve";
      search.addEventListener("input", () => this.find(search.value.toLowerCase()));
      this.controls.append(search);
    }
    const stack = button("one by one", "Each curve in a strip of its own", () => {
      this.panel.stacked = !this.panel.stacked;
      stack.setAttribute("aria-pressed", String(this.panel.stacked));
      this.panel.redraw();
    });
    stack.setAttribute("aria-pressed", "false");
    this.controls.append(stack);
  }

  find(text) {
    this.panel.draw();
    this.rows.forEach(({ button }, i) => {
      button.hidden = !this.panel.curves[i].name.toLowerCase().includes(text);
    });
  }

  toggle(i) {
    this.panel.visible[i] = !this.panel.visible[i];
    this.update();
    this.panel.redraw();
  }

  only(wanted) {
    this.panel.visible = this.panel.curves.map((curve, i) => wanted(curve, i));
    this.update();
    this.panel.redraw();
  }

  update() {
    this.rows.forEach(({ button }, i) => button.setAttribute("aria-pressed", String(this.panel.visible[i])));
  }

  point(t) {
    const { panel } = this;
    this.rows.forEach(({ value }, i) => {
      const curve = panel.curves[i];
      if (!panel.visible[i]) return void (value.textContent = "");
      const at = (of, time) => valueAt(of, time, panel.style);
      const parts = [reading(at(curve, t), curve.unit)];
      if (link.held !== null) parts.push("Δ " + reading(at(curve, t) - at(curve, link.held), curve.unit));
      if (curve.other) parts.push("other " + reading(at(curve.other, t), curve.unit));
      value.textContent = parts.join(", ");
    });
  }
}
