// What mouse and fingers do on a plot: point, set the time, zoom.
//
// Mouse: move to read values, click to set the time, with Shift to put down a cursor for differences; drag along to zoom
// into times, up or down into values, askew into both; double-click to zoom out, wheel with Ctrl to zoom about the pointer. Fingers: one moves the time, two zoom.
function attachGestures(panel) {
  const { place } = panel;
  const fingers = new Map();
  let start = null;
  let startY = 0;

  const inside = (event) => event.clientX - place.getBoundingClientRect().left;
  const height = (event) => event.clientY - place.getBoundingClientRect().top;
  const clamped = (x) => Math.min(panel.left + panel.width, Math.max(panel.left, x));

  place.addEventListener("pointermove", (event) => {
    const x = inside(event);
    if (event.pointerType === "mouse") {
      const over = x >= panel.left && x <= panel.left + panel.width;
      link.point(over ? panel.timeAt(x) : null);
      if (start !== null) select(clamped(x), height(event));
    } else if (fingers.has(event.pointerId)) {
      const before = [...fingers.values()];
      fingers.set(event.pointerId, x);
      if (fingers.size === 2) pinch(before, [...fingers.values()]);
      else clock.set(panel.timeAt(clamped(x)));
    }
  });

  place.addEventListener("pointerdown", (event) => {
    const x = inside(event);
    if (event.pointerType !== "mouse") {
      fingers.set(event.pointerId, x);
      clock.pause();
      if (fingers.size === 1) clock.set(panel.timeAt(clamped(x)));
    } else if (event.button === 0 && x >= panel.left - 4) {
      start = clamped(x);
      startY = height(event);
      place.setPointerCapture(event.pointerId);
      event.preventDefault();
    }
  });

  const release = (event) => {
    fingers.delete(event.pointerId);
    if (start === null || event.pointerType !== "mouse") return;
    const [from, to] = [start, clamped(inside(event))].sort((a, b) => a - b);
    start = null;
    panel.selection.hidden = true;
    if (event.type === "pointercancel") return;
    const found = valuesBetween(startY, height(event));
    if (found) panel.zoomValues(found.strip, found.range);
    if (to - from > 6) link.show([panel.timeAt(from), panel.timeAt(to)]);
    else if (!found && event.shiftKey) link.hold(panel.timeAt(to));
    else if (!found) clock.set(panel.timeAt(to));
  };
  place.addEventListener("pointerup", release);
  place.addEventListener("pointercancel", release);
  place.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") link.point(null);
  });
  place.addEventListener("dblclick", () => link.show(null));
  place.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      link.zoom(panel.timeAt(clamped(inside(event))), Math.exp(0.002 * event.deltaY));
    },
    { passive: false },
  );

  // The values between two heights, if they are far enough apart to be meant, within one strip.
  function valuesBetween(one, other) {
    const found = panel.stripAt(one);
    if (!found || Math.abs(one - other) < 24 || panel.stacked) return null;
    const { top, bottom } = found.strip;
    const range = [one, other].map((y) => found.value(Math.max(top, Math.min(bottom, y)))).sort((a, b) => a - b);
    return range[1] > range[0] ? { strip: found.strip, range, top: Math.max(top, Math.min(one, other)), bottom: Math.min(bottom, Math.max(one, other)) } : null;
  }

  function select(x, y) {
    const [from, to] = [start, x].sort((a, b) => a - b);
    const found = valuesBetween(startY, y);
    const along = to - from > 6;
    panel.selection.hidden = !along && !found;
    const box = { left: along ? from : panel.left, width: along ? to - from : panel.width, top: found?.top ?? panel.top, bottom: found?.bottom ?? panel.bottom };
    Object.assign(panel.selection.style, { left: box.left + "px", width: box.width + "px", top: box.top + "px", height: box.bottom - box.top + "px" });
  }

  // The times under both fingers stay under them.
  function pinch(before, after) {
    const [a, b] = before.map((x) => panel.timeAt(x));
    const spread = after[1] - after[0];
    if (Math.abs(spread) < 10) return;
    const scale = (b - a) / spread;
    const from = a + (panel.left - after[0]) * scale;
    link.show([from, from + panel.width * scale]);
  }
}
