// The numbers of the page. Curves that keep all their rows share a time axis.
const data = JSON.parse(document.getElementById("data").textContent);

function bytes(base64) {
  const text = atob(base64);
  const array = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) array[i] = text.charCodeAt(i);
  return array.buffer;
}

const grids = data.grids.map(() => null);

// Decoded when first needed: most of a long page is never scrolled to.
function times(curve) {
  // A curve of another run has grids of its own.
  if (curve.own) return (curve.own.grids[curve.grid] ??= new Float64Array(bytes(curve.own.encoded[curve.grid])));
  return (grids[curve.grid] ??= new Float64Array(bytes(data.grids[curve.grid])));
}

function values(curve) {
  return (curve.decoded ??= new Float32Array(bytes(curve.values)));
}

// First index whose time is not before t.
function indexAt(array, t) {
  let low = 0;
  let high = array.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (array[middle] < t) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The value of a curve at a time, as it is drawn.
function valueAt(curve, t, style) {
  const [x, y] = [times(curve), values(curve)];
  const i = indexAt(x, t);
  if (i >= x.length) return NaN;
  if (style !== "line") return y[i];
  if (i === 0) return t === x[0] ? y[0] : NaN;
  const part = (t - x[i - 1]) / (x[i] - x[i - 1]);
  return y[i - 1] + part * (y[i] - y[i - 1]);
}
