// A slider for each parameter that is a number, and one for the number at the cursor.
class Sliders {
  // `changed` is told of each change, with the bounds of what was replaced and its new text.
  constructor(place, source, changed) {
    Object.assign(this, { place, source, changed, rows: [], ranges: new Map() });
  }

  // Bounds of a slider: from nothing to twice the value, and as wide as values have been since.
  range(name, value) {
    const known = this.ranges.get(name) ?? (value === 0 ? [-1, 1] : [Math.min(0, 2 * value), Math.max(0, 2 * value)]);
    const range = [Math.min(known[0], value), Math.max(known[1], value)];
    this.ranges.set(name, range);
    return range;
  }

  forget() {
    this.ranges.clear();
  }

  // Numbers, each with its name and its bounds in the text.
  show(numbers) {
    // a row that is dragged stays the same element
    if (this.rows.map((row) => row.name).join("\n") !== numbers.map((number) => number.name).join("\n")) {
      this.place.replaceChildren();
      this.rows = numbers.map(({ name, title }) => this.row(name, title ?? name));
    }
    this.rows.forEach((row, k) => this.update(row, numbers[k]));
  }

  row(name, title) {
    const [label, input, output] = ["label", "input", "output"].map((kind) => document.createElement(kind));
    Object.assign(label, { textContent: title, title });
    Object.assign(input, { type: "range", step: "any" });
    input.setAttribute("aria-label", title);
    this.place.append(label, input, output);
    const row = { name, input, output };
    input.addEventListener("input", () => this.move(row));
    return row;
  }

  update(row, { from, to }) {
    const value = Number(this.source.value.slice(from, to).replaceAll("_", ""));
    Object.assign(row, { from, to });
    const [least, most] = this.range(row.name, value);
    Object.assign(row.input, { min: least, max: most, value });
    row.output.textContent = written(value);
  }

  move(row) {
    const { from, to } = row;
    const value = written(Number(row.input.value));
    this.source.setRangeText(value, from, to, "preserve");
    row.to = from + value.length;
    row.output.textContent = value;
    this.changed();
  }
}
