// The legend under a plot: switches for the curves, and their values at the cursor.
class Legend {
  constructor(panel) {
    this.panel = panel;
    this.place = panel.section.querySelector(".legend");
    this.controls = panel.section.querySelector(".controls");
    this.rows = panel.curves.map((curve, i) => this.row(curve, i));
    this.place.append(...this.rows.map((row) => row.button));
    if (panel.curves.length > 1) this.addControls();
    this.update();
  }

  row(curve, i) {
    const button = document.createElement("button");
    button.type = "button";
    button.title = curve.name + (curve.unit ? " [" + curve.unit + "]" : "") + " — double-click for this alone";
    const swatch = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    swatch.setAttribute("width", "22");
    swatch.setAttribute("height", "10");
    const stroke = document.createElementNS("http://www.w3.org/2000/svg", "path");
    stroke.setAttribute("d", "M0 5H22");
    stroke.setAttribute("stroke-width", "2.5");
    stroke.setAttribute("stroke", "var(--c" + (i % colourCount) + ")");
    const pattern = { dash: "6 3", dot: "2 3", dashdot: "6 3 2 3" }[dash(i)];
    if (pattern) stroke.setAttribute("stroke-dasharray", pattern);
    swatch.append(stroke);
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = curve.name;
    const value = document.createElement("span");
    value.className = "value";
    button.append(swatch, name, value);
    button.addEventListener("click", () => this.toggle(i));
    button.addEventListener("dblclick", () => this.only((_, k) => k === i));
    return { button, value };
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
    const stack = document.createElement("button");
    stack.type = "button";
    stack.textContent = "one by one";
    stack.title = "Each curve in a strip of its own";
    stack.setAttribute("aria-pressed", "false");
    stack.addEventListener("click", () => {
      this.panel.stacked = !this.panel.stacked;
      stack.setAttribute("aria-pressed", String(this.panel.stacked));
      this.panel.redraw();
    });
    this.controls.append(stack);
  }

  find(text) {
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
    this.rows.forEach(({ value }, i) => {
      const show = t !== null && this.panel.visible[i];
      value.textContent = show ? readable(valueAt(this.panel.curves[i], t, this.panel.style)) : "";
    });
  }
}
