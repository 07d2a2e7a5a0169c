// Impacts as marks under the slider; a click goes there.
const mostEvents = 400;

function markEvents(place) {
  const events = data.events ?? [];
  const [first, last] = clock.range;
  place.hidden = !events.length || !(last > first);
  if (place.hidden) return;
  // Of very many, the strongest are shown.
  const shown = [...events].sort((a, b) => b.size - a.size).slice(0, mostEvents);
  const strongest = shown[0].size || 1;
  for (const { t, name, size } of shown) {
    const mark = button("", `${name} at t = ${measured(t, data.time, 5)}, impulse ${measured(size, "N s")}`, () => {
      clock.pause();
      clock.set(t);
    });
    mark.style.left = (100 * (t - first)) / (last - first) + "%";
    mark.style.height = 4 + 8 * Math.sqrt(size / strongest) + "px";
    mark.tabIndex = -1;
    place.append(mark);
  }
}
