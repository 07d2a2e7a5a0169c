// Series of points on a canvas, a strip for each unit. Returns how pixels are values, for zooming.
function drawChart(canvas, wide, series, { axis, zoom, log, now, label = "" }) {
  const units = [...new Set(series.map(({ unit }) => unit))];
  const each = units.length > 1 ? 200 : 340;
  const height = units.length * each + 42;
  canvas.parentElement.style.height = height + "px";
  const context = sharpen(canvas, wide, height);
  context.font = fontOf(12);
  const lift = (value) => (log ? (value > 0 ? Math.log10(value) : NaN) : value);
  const range = (lists) => {
    let [low, high] = [Infinity, -Infinity];
    for (const list of lists)
      for (const value of list) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    return low < high ? [low, high] : Number.isFinite(low) ? [low - 0.5, low + 0.5] : [0, 1];
  };
  const xRange = zoom?.x ?? (axis.name === "time" ? link.visible() : range(series.map(({ x }) => x)));
  const inside = ({ x, y }) => Array.from(y, lift).filter((_, k) => x[k] >= xRange[0] && x[k] <= xRange[1]);
  const strips = units.map((unit, k) => {
    const own = series.filter((one) => one.unit === unit);
    let [low, high] = range(own.map(inside));
    // Of a spectrum, six decades are enough.
    if (log) low = Math.max(low, high - 6);
    const pad = 0.05 * (high - low);
    const zoomed = zoom?.y?.strip === k ? zoom.y.range : [low - pad, high + pad];
    const [least, most] = zoomed;
    return { own, low: least, high: most, top: k * each + 16, bottom: (k + 1) * each, ticks: (log ? logTicks : linearTicks)(least, most, Math.max(3, each / 44), unit) };
  });
  const widths = strips.flatMap(({ ticks }) => ticks.labels).map((label) => context.measureText(label).width);
  const left = Math.ceil(Math.max(24, ...widths)) + 32;
  const width = Math.max(20, wide - left - 14);
  const px = (x) => left + ((x - xRange[0]) / (xRange[1] - xRange[0])) * width;
  const ticks = linearTicks(...xRange, Math.max(2, width / 90), axis.unit);
  context.textAlign = "center";
  context.textBaseline = "top";
  context.fillStyle = token("--soft");
  ticks.values.forEach((value, k) => context.fillText(ticks.labels[k], px(value), height - 36));
  context.fillText(axis.name + (ticks.unit ? " [" + ticks.unit + "]" : ""), left + 0.5 * width, height - 19);
  for (const { own, low, high, top, bottom, ticks: marks } of strips) {
    const py = (y) => bottom - ((lift(y) - low) / (high - low)) * (bottom - top);
    context.lineWidth = 1;
    context.strokeStyle = token("--grid");
    context.textAlign = "right";
    context.textBaseline = "middle";
    marks.values.forEach((value, k) => {
      const y = bottom - ((value - low) / (high - low)) * (bottom - top);
      context.beginPath();
      context.moveTo(left, y);
      context.lineTo(left + width, y);
      context.stroke();
      context.fillText(marks.labels[k], left - 7, y);
    });
    for (const value of ticks.values) {
      context.beginPath();
      context.moveTo(px(value), top);
      context.lineTo(px(value), bottom);
      context.stroke();
    }
    context.save();
    context.textAlign = "center";
    context.textBaseline = "top";
    context.translate(3, 0.5 * (top + bottom));
    context.rotate(-0.5 * Math.PI);
    context.fillText([label, marks.unit && "[" + marks.unit + "]"].filter(Boolean).join(" "), 0, 0);
    context.restore();
    context.save();
    context.beginPath();
    context.rect(left, top, width, bottom - top);
    context.clip();
    for (const { x, y, t, name, peaks, shade, guide, loose, cases } of own) {
      const k = shade ?? series.findIndex((one) => one.name === name);
      context.strokeStyle = context.fillStyle = colour(k + (t ? 1 : 0));
      context.lineWidth = guide ? 1.2 : 1.6;
      context.setLineDash(guide ? [5, 4] : []);
      context.beginPath();
      if (!loose) for (let i = 0; i < x.length; i++) context.lineTo(px(x[i]), Number.isFinite(lift(y[i])) ? py(y[i]) : bottom + 10);
      context.stroke();
      context.setLineDash([]);
      // A point that can be picked is seen; the one that is picked has a ring.
      for (let i = 0; i < (cases ?? []).length; i++) {
        context.beginPath();
        context.arc(px(x[i]), py(y[i]), cases.length > 400 ? 1.6 : 3, 0, 2 * Math.PI);
        context.fill();
        if (cases[i] !== now?.case) continue;
        context.beginPath();
        context.lineWidth = 2.5;
        context.arc(px(x[i]), py(y[i]), 8, 0, 2 * Math.PI);
        context.stroke();
      }
      for (const [f, a] of peaks ?? []) {
        context.beginPath();
        context.arc(px(f), py(a), 3.5, 0, 2 * Math.PI);
        context.fill();
      }
      if (now?.t !== undefined && t?.length) {
        const i = Math.min(t.length - 1, indexAt(t, now.t));
        context.beginPath();
        context.arc(px(x[i]), py(y[i]), 5, 0, 2 * Math.PI);
        context.fill();
      }
    }
    if (now?.x !== undefined) {
      context.fillStyle = token("--link");
      context.fillRect(px(now.x) - 1, top, 2, bottom - top);
    }
    context.restore();
    context.strokeStyle = token("--rule");
    context.strokeRect(left + 0.5, top + 0.5, width - 1, bottom - top - 1);
    context.fillStyle = token("--soft");
  }
  return {
    xRange,
    px,
    py: (k, y) => strips[k].bottom - ((lift(y) - strips[k].low) / (strips[k].high - strips[k].low)) * (strips[k].bottom - strips[k].top),
    xAt: (pixel) => xRange[0] + ((pixel - left) / width) * (xRange[1] - xRange[0]),
    stripAt: (pixel) => Math.max(0, Math.min(strips.length - 1, Math.floor(pixel / each))),
    yAt: (k, pixel) => strips[k].low + ((strips[k].bottom - pixel) / (strips[k].bottom - strips[k].top)) * (strips[k].high - strips[k].low),
  };
}
