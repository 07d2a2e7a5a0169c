// A plot as a table or as a picture.
function save(name, blob) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
}

function quoted(text) {
  return /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}

// The visible curves over the visible times. Curves that were thinned differently are read between their points.
function tableOf(panel) {
  const curves = panel.shown().map((i) => panel.curves[i]);
  const [from, to] = link.visible();
  const shared = curves.every((curve) => curve.grid === curves[0].grid);
  const all = shared && curves.length ? times(curves[0]) : [...new Set(curves.flatMap((curve) => [...times(curve)]))].sort((a, b) => a - b);
  const names = curves.map((curve) => curve.name + (curve.unit ? " [" + curve.unit + "]" : ""));
  const lines = [["t" + (data.time ? " [" + data.time + "]" : ""), ...names].map(quoted).join(",")];
  for (let k = 0; k < all.length; k++) {
    if (all[k] < from || all[k] > to) continue;
    const numbers = curves.map((curve) => (shared ? values(curve)[k] : valueAt(curve, all[k], panel.style)));
    lines.push([all[k], ...numbers.map((number) => (Number.isFinite(number) ? Number(number.toPrecision(8)) : ""))].join(","));
  }
  return lines.join("\n") + "\n";
}

// The plot with its heading and legend, twice as fine as on the screen.
function pictureOf(panel) {
  const wide = 900;
  const high = panel.strips().length > 1 ? panel.heights(wide) : 380;
  const shown = panel.shown();
  const rows = Math.ceil(shown.length / 4);
  const canvas = document.createElement("canvas");
  canvas.width = 2 * wide;
  canvas.height = 2 * (high + 40 + 20 * rows);
  const context = canvas.getContext("2d");
  context.scale(2, 2);
  context.fillStyle = token("--paper");
  context.fillRect(0, 0, wide, high + 40 + 20 * rows);
  context.fillStyle = token("--ink");
  context.font = fontOf(15);
  context.textBaseline = "top";
  context.fillText(data.name + " – " + panel.section.querySelector("h2").textContent, 12, 10, wide - 24);
  context.translate(0, 32);
  panel.render(context, wide, high);
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.font = fontOf(12);
  shown.forEach((i, k) => {
    const [x, y] = [panel.left + (k % 4) * (panel.width / 4), high + 10 + 20 * Math.floor(k / 4)];
    context.strokeStyle = colour(i);
    context.lineWidth = 2;
    context.setLineDash(dash(i));
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + 22, y);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = token("--ink");
    context.fillText(panel.curves[i].name, x + 28, y, panel.width / 4 - 34);
  });
  // The widths of the picture are not those of the page.
  panel.redraw();
  return canvas;
}

function downloadButtons(panel) {
  const name = panel.section.id;
  return [
    button("CSV", "Save the visible curves as a table, thinned as on this page", () =>
      save(name + ".csv", new Blob([tableOf(panel)], { type: "text/csv" })),
    ),
    button("PNG", "Save this plot as a picture", () => pictureOf(panel).toBlob((blob) => save(name + ".png", blob))),
  ];
}
