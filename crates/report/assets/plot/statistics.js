// Statistics of the visible curves over the visible times.
//
// Mean and root mean square are integrals over time (trapezoids), so that steps of different lengths count as they should.
function statisticsOf(curve, [from, to]) {
  const [x, y] = [times(curve), values(curve)];
  let [low, high, area, square, span] = [{ y: Infinity }, { y: -Infinity }, 0, 0, 0];
  for (let k = indexAt(x, from); k < x.length && x[k] <= to; k++) {
    if (!Number.isFinite(y[k])) continue;
    if (y[k] < low.y) low = { t: x[k], y: y[k] };
    if (y[k] > high.y) high = { t: x[k], y: y[k] };
    if (k === 0 || x[k - 1] < from || !Number.isFinite(y[k - 1])) continue;
    const h = x[k] - x[k - 1];
    area += 0.5 * h * (y[k] + y[k - 1]);
    square += (h * (y[k] * y[k] + y[k] * y[k - 1] + y[k - 1] * y[k - 1])) / 3;
    span += h;
  }
  return { low, high, mean: span > 0 ? area / span : low.y, rms: span > 0 ? Math.sqrt(square / span) : Math.abs(low.y) };
}

function statisticsTable(panel) {
  const [from, to] = link.visible();
  const table = document.createElement("table");
  table.className = "records statistics";
  const row = (cells, kind) => {
    const made = document.createElement("tr");
    made.append(...cells.map((text) => Object.assign(document.createElement(kind), { textContent: text })));
    table.append(made);
  };
  row(["from " + readable(from) + " to " + readable(to) + timeUnit, "least", "at", "most", "at", "peak to peak", "mean", "rms"], "th");
  for (const i of panel.shown().slice(0, 40)) {
    const curve = panel.curves[i];
    const { low, high, mean, rms } = statisticsOf(curve, [from, to]);
    const number = (value) => reading(value, curve.unit);
    row([curve.name, number(low.y), readable(low.t) + timeUnit, number(high.y), readable(high.t) + timeUnit, number(high.y - low.y), number(mean), number(rms)], "td");
  }
  return table;
}

function statisticsButton(panel) {
  const place = document.createElement("div");
  place.className = "statistics-place";
  const show = () => {
    panel.draw();
    place.replaceChildren(...(panel.statistics ? [statisticsTable(panel)] : []));
  };
  const made = button("statistics", "Least, most, mean and root mean square over the visible times", () => {
    panel.statistics = !panel.statistics;
    made.setAttribute("aria-pressed", String(panel.statistics));
    show();
  });
  made.setAttribute("aria-pressed", "false");
  panel.section.append(place);
  panel.refresh = () => panel.statistics && show();
  return made;
}
