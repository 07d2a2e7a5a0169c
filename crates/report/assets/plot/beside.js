// Another run beside this one: drop its report onto the page, or choose it. Curves of the same name are drawn dashed.
const beside = {
  // The numbers of another report, from its text; null if it is none.
  read(text) {
    const found = /<script id="data" type="application\/json">([\s\S]*?)<\/script>/.exec(text);
    return found && JSON.parse(found[1]);
  },

  // Puts another run beside this one; returns how many curves have a partner.
  show(other) {
    const partners = new Map(other.panels.flatMap((panel) => panel.curves.map((curve) => [panel.id.replace(/-\d+$/, "") + "/" + curve.name, curve])));
    const otherGrids = other.grids.map(() => null);
    let count = 0;
    for (const panel of link.panels) {
      const kind = panel.section.id.replace(/-\d+$/, "");
      for (const curve of panel.curves) {
        const partner = partners.get(kind + "/" + curve.name);
        curve.other = partner ? { ...partner, own: { grids: otherGrids, encoded: other.grids } } : undefined;
        if (partner) count++;
      }
      panel.redraw();
    }
    const note = document.querySelector(".beside");
    note.hidden = false;
    note.querySelector("span").textContent = count ? `Dashed: ${other.name}, ${count} curves of the same names. Largest differences: ${this.differences()}` : `${other.name} has no curve of the same name.`;
    link.later();
    return count;
  },

  // Curves that differ most, as parts of their largest values, in words.
  differences() {
    const all = [];
    for (const panel of link.panels.filter((panel) => panel.style === "line" && !panel.log))
      for (const curve of panel.curves.filter((curve) => curve.other)) {
        let [worst, at, size] = [0, 0, 0];
        const [t, v] = [times(curve), values(curve)];
        const stride = Math.max(1, Math.floor(t.length / 500));
        for (let k = 0; k < t.length; k += stride) {
          const apart = Math.abs(v[k] - valueAt(curve.other, t[k], "line"));
          if (apart > worst) [worst, at] = [apart, t[k]];
          size = Math.max(size, Math.abs(v[k]));
        }
        if (worst > 0) all.push({ curve, worst, at, part: worst / size });
      }
    const first = all.sort((a, b) => b.part - a.part).slice(0, 3);
    return first.map(({ curve, worst, at, part }) => `${curve.name} ${measured(worst, curve.unit, 3)} (${readable(100 * part, 2)} %) at t = ${measured(at, data.time)}`).join("; ") || "none";
  },

  clear() {
    for (const panel of link.panels) {
      for (const curve of panel.curves) curve.other = undefined;
      panel.redraw();
    }
    document.querySelector(".beside").hidden = true;
    link.later();
  },

  async open(file) {
    const other = this.read(await file.text());
    if (other) return this.show(other);
    const note = document.querySelector(".beside");
    note.hidden = false;
    note.querySelector("span").textContent = `${file.name} is no report of a run.`;
    return 0;
  },

  listen() {
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file) this.open(file);
    });
    const chooser = document.querySelector(".other-run");
    chooser.addEventListener("change", () => chooser.files[0] && this.open(chooser.files[0]));
    document.querySelector(".beside button").addEventListener("click", () => this.clear());
    if (data.beside) this.show(data.beside);
  },
};
