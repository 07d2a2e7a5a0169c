// What mouse and fingers do on a plot: point, set the time, zoom.
//
// Mouse: move to read values, click to set the time, drag to zoom, double-click to zoom out, wheel with
// Ctrl to zoom about the pointer. Fingers: one moves the time, two zoom.
function attachGestures(panel) {
  const { place } = panel;
  const fingers = new Map();
  let start = null;

  const inside = (event) => event.clientX - place.getBoundingClientRect().left;
  const clamped = (x) => Math.min(panel.left + panel.width, Math.max(panel.left, x));

  place.addEventListener("pointermove", (event) => {
    const x = inside(event);
    if (event.pointerType === "mouse") {
      const over = x >= panel.left && x <= panel.left + panel.width;
      link.point(over ? panel.timeAt(x) : null);
      if (start !== null) select(clamped(x));
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
    if (to - from > 6) link.show([panel.timeAt(from), panel.timeAt(to)]);
    else clock.set(panel.timeAt(to));
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

  function select(x) {
    const [from, to] = [start, x].sort((a, b) => a - b);
    panel.selection.hidden = to - from <= 6;
    panel.selection.style.left = from + "px";
    panel.selection.style.width = to - from + "px";
    panel.selection.style.top = panel.top + "px";
    panel.selection.style.height = panel.bottom - panel.top + "px";
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
