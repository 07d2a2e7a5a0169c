// Numbers as people write them: "32 MPa", "4.2 mm", "1.5 × 10⁻⁹".
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const prefixes = { "-12": "p", "-9": "n", "-6": "µ", "-3": "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T" };
// Units that take prefixes, by what they begin with. Lengths, times and angles are never kilo: 1200 m.
const prefixed = /^(N|Pa|W|J|Hz)\b/;
const onlySmall = /^(m|s|rad)\b/;

function superscript(number) {
  const digits = [...String(Math.abs(number))].map((digit) => superscripts[digit]).join("");
  return (number < 0 ? "⁻" : "") + digits;
}

// The power of a thousand that makes a number easy to read with a unit; 0 if the unit takes no prefix.
function powerFor(size, unit) {
  if (!(size > 0) || !Number.isFinite(size)) return 0;
  const small = onlySmall.test(unit);
  if (!small && !prefixed.test(unit)) return 0;
  const power = 3 * Math.floor(Math.log10(size * (1 + 1e-12)) / 3);
  // no prefix is smaller than pico
  return power < -12 ? 0 : Math.min(small ? 0 : 12, power);
}

function readable(value, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) {
    const [mantissa, power] = value.toExponential(Math.min(2, digits - 1)).split("e");
    return (Number(mantissa) === 1 ? "" : String(Number(mantissa)).replace("-", "−") + " × ") + "10" + superscript(Number(power));
  }
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

// A value with its unit.
function measured(value, unit, digits = 4) {
  if (!unit || !Number.isFinite(value)) return readable(value, digits) + (unit ? " " + unit : "");
  const power = powerFor(Math.abs(value), unit);
  return readable(value / 10 ** power, digits) + " " + prefixes[power] + unit;
}

// What is smaller is rounding beside other numbers of its unit.
function floorOf(unit) {
  return data.floors?.[unit] ?? 0;
}

// A value of a curve with its unit: zero where it is rounding.
function reading(value, unit) {
  return measured(Math.abs(value) < floorOf(unit) ? 0 : value, unit);
}

const timeUnit = data.time ? " " + data.time : "";
