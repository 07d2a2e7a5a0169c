// The spectrum of a curve: amplitudes of its harmonic parts.
//
// The mean is taken away, the curve is read at equal steps, multiplied with a window and transformed; amplitudes are
// divided by the mean of the window, so that a harmonic of amplitude a shows a peak of about a. The place of a
// peak is that of the parabola through three logarithms, and so is its height; a flat top has the height as it is.
const windows = {
  Hann: (s) => 0.5 - 0.5 * Math.cos(2 * Math.PI * s),
  "flat top": (s) => 0.21557895 - 0.41663158 * Math.cos(2 * Math.PI * s) + 0.277263158 * Math.cos(4 * Math.PI * s) - 0.083578947 * Math.cos(6 * Math.PI * s) + 0.006947368 * Math.cos(8 * Math.PI * s),
  none: () => 1,
};
const longestTransform = 1 << 16;

// In place, for a power of two (Cooley and Tukey 1965).
function fourier(re, im) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2;
    for (let k = 0; k < half; k++) {
      const [c, s] = [Math.cos((2 * Math.PI * k) / size), -Math.sin((2 * Math.PI * k) / size)];
      for (let i = k; i < n; i += size) {
        const j = i + half;
        const [x, y] = [re[j] * c - im[j] * s, re[j] * s + im[j] * c];
        re[j] = re[i] - x;
        im[j] = im[i] - y;
        re[i] += x;
        im[i] += y;
      }
    }
  }
}

function spectrumOf(curve, [from, to], name) {
  const [t, v] = [times(curve), values(curve)];
  const [first, last] = [Math.max(from, t[0]), Math.min(to, t[t.length - 1])];
  const inside = Math.max(0, indexAt(t, last) - indexAt(t, first));
  if (!(last > first) || inside < 8) return { x: [], y: [], peaks: [], note: "too few values" };
  // Twice as fine as the rows, so that what lies between uneven steps is not folded back.
  const samples = Math.min(longestTransform, 2 ** Math.ceil(Math.log2(2 * inside)));
  const step = (last - first) / samples;
  const read = Float64Array.from({ length: samples }, (_, k) => valueAt(curve, first + k * step, "line"));
  const finite = read.filter(Number.isFinite);
  const mean = finite.reduce((a, b) => a + b, 0) / (finite.length || 1);
  let weight = 0;
  const re = read.map((value, k) => {
    const w = windows[name](k / samples);
    weight += w;
    return Number.isFinite(value) ? w * (value - mean) : 0;
  });
  const im = new Float64Array(samples);
  fourier(re, im);
  // Above half the rate of the rows there is nothing but the straight lines between them.
  const count = Math.min(samples / 2, Math.max(4, Math.floor(inside / 2)));
  const x = Array.from({ length: count }, (_, k) => (k + 1) / (last - first));
  const y = Array.from({ length: count }, (_, k) => (2 * Math.hypot(re[k + 1], im[k + 1])) / weight);
  const note = curve.thinned ? "this curve was thinned for the page: amplitudes of high frequencies are not exact" : "";
  return { x, y, peaks: peaksOf(x, y, name === "flat top"), note };
}

// The highest local maxima, as [frequency, amplitude].
function peaksOf(x, y, flat, most = 6) {
  const top = Math.max(...y);
  const found = [];
  for (let k = 1; k + 1 < y.length; k++) {
    if (!(y[k] > y[k - 1] && y[k] >= y[k + 1] && y[k] > 0.01 * top)) continue;
    const [a, b, c] = [y[k - 1], y[k], y[k + 1]].map((value) => Math.log(Math.max(value, 1e-300)));
    const shift = a - 2 * b + c < 0 ? (0.5 * (a - c)) / (a - 2 * b + c) : 0;
    found.push([x[k] + shift * (x[1] - x[0]), flat ? y[k] : Math.exp(b - 0.25 * (a - c) * shift)]);
  }
  // Side lobes of a strong peak are no peaks of their own.
  const near = 8 * (x[1] - x[0]);
  const strong = [];
  for (const peak of found.sort((a, b) => b[1] - a[1])) if (strong.every(([f]) => Math.abs(f - peak[0]) > near)) strong.push(peak);
  return strong.slice(0, most).sort((a, b) => a[0] - b[0]);
}
