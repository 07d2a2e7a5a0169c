// Puts everything in its place.
for (const description of data.panels) {
  const section = document.getElementById(description.id);
  const panel = new Panel(section, description);
  panel.title = section.querySelector("h2").textContent;
  panel.legend = new Legend(panel);
  link.panels.push(panel);
}

const watcher = new IntersectionObserver(
  (entries) => {
    for (const entry of entries.filter((entry) => entry.isIntersecting)) {
      watcher.unobserve(entry.target);
      link.panels.find((panel) => panel.section === entry.target)?.draw();
    }
    link.later();
  },
  { rootMargin: "600px" },
);
for (const panel of link.panels) watcher.observe(panel.section);

link.reset.addEventListener("click", () => link.show(null));

const animation = document.querySelector(".animation");
let viewer = null;
let controls = null;
if (animation && data.scene) {
  try {
    viewer = new Viewer(animation.querySelector(".stage"), data.scene);
    controls = new Controls(viewer, animation);
  } catch (error) {
    animation.classList.add("without");
    animation.querySelector(".note").textContent = "The animation needs WebGL 2, which this browser does not offer (" + error.message + "). Everything else works.";
  }
}

const place = document.getElementById("workbench");
const workbench = place && link.panels.length ? new Workbench(place) : null;
if (place && !workbench) place.hidden = true;
if (workbench) {
  link.changed = () => workbench.later();
  beside.listen();
}
document.querySelector(".share")?.addEventListener("click", (event) => {
  history.replaceState(null, "", bookmark.of(viewer));
  navigator.clipboard?.writeText(location.href).catch(() => {});
  event.target.textContent = "the address is this view";
  setTimeout(() => (event.target.textContent = "link to this view"), 2500);
});
bookmark.go(location.hash, viewer, controls);
addEventListener("hashchange", () => bookmark.go(location.hash, viewer, controls));

const redrawAll = () => {
  workbench?.later();
  for (const panel of link.panels) panel.redraw();
  viewer?.later();
};
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
matchMedia("print").addEventListener("change", redrawAll);

// Paper shows every plot and this instant of the animation.
const still = animation?.querySelector(".still");
addEventListener("beforeprint", () => {
  for (const panel of link.panels) panel.draw();
  if (viewer && still) still.src = viewer.snapshot().toDataURL();
});

// For the console of the browser: the clock, the plots and the animation.
window.report = { clock, link, viewer, controls, workbench, beside, bookmark, tableOf, statisticsOf, spectrumOf, measured, reading };
