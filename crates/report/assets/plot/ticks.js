// Ticks at round numbers, and their labels.
// A step of 1, 2 or 5 times a power of ten.
function roundStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  const part = rough / power;
  return (part > 5 ? 10 : part > 2 ? 5 : part > 1 ? 2 : 1) * power;
}

// Ticks of a linear axis: values, labels, and the unit to be written beside the axis, with a prefix or a factor.
function linearTicks(low, high, count, unit = "") {
  let step = roundStep((high - low) / Math.max(1, count));
  const first = () => Math.ceil(low / step - 1e-9);
  const last = () => Math.floor(high / step + 1e-9);
  // a single tick tells no scale
  while (high > low && last() - first() < 1) step = roundStep(0.4 * step);
  const values = [];
  for (let k = first(); k <= last(); k++) values.push(k * step);
  const most = Math.max(Math.abs(low), Math.abs(high));
  let power = powerFor(most, unit);
  let name = prefixes[power] + unit;
  if (power === 0 && (most >= 1e5 || most < 1e-2)) {
    power = 3 * Math.floor(Math.log10(most) / 3);
    name = ("×10" + superscript(power) + " " + unit).trim();
  }
  const digits = Math.max(0, Math.min(12, power - Math.floor(Math.log10(step) + 1e-9)));
  const label = (value) => (value / 10 ** power).toFixed(digits).replace(/^-(0(\.0*)?)$/, "$1").replace("-", "−");
  return { values, labels: values.map(label), unit: name };
}

// Ticks of a logarithmic axis, whose ends are logarithms.
function logTicks(low, high, count, unit = "") {
  if (high - low < 1.2) {
    const values = [];
    for (let power = Math.floor(low); power <= high; power++)
      for (const digit of [1, 2, 3, 5, 7]) values.push(power + Math.log10(digit));
    const inside = values.filter((value) => value >= low && value <= high);
    return { values: inside, labels: inside.map((value) => readable(10 ** value)), unit };
  }
  const step = Math.max(1, Math.ceil((high - low) / count));
  const values = [];
  for (let power = Math.ceil(low / step - 1e-9) * step; power <= high + 1e-9; power += step) values.push(power);
  const label = (power) => (power === 0 ? "1" : power === 1 ? "10" : "10" + superscript(power));
  return { values, labels: values.map(label), unit };
}
