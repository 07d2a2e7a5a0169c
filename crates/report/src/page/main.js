// Puts everything in its place.
for (const description of data.panels) {
  const panel = new Panel(document.getElementById(description.id), description);
  panel.legend = new Legend(panel);
  link.panels.push(panel);
}

const watcher = new IntersectionObserver(
  (entries) => {
    for (const entry of entries.filter((entry) => entry.isIntersecting)) {
      watcher.unobserve(entry.target);
      link.panels.find((panel) => panel.section === entry.target)?.draw();
    }
  },
  { rootMargin: "600px" },
);
for (const panel of link.panels) watcher.observe(panel.section);

link.reset.addEventListener("click", () => link.show(null, null));

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => link.panels.forEach((panel) => panel.redraw()));

// Paper shows every plot, in light colours.
matchMedia("print").addEventListener("change", (event) => {
  for (const panel of link.panels) event.matches ? panel.draw() : panel.redraw();
});
addEventListener("beforeprint", () => {
  for (const panel of link.panels.filter((panel) => !panel.drawn)) panel.draw();
});
