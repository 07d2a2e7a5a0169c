// Buttons and gestures of the animation.
//
// Mouse: drag turns, with Shift or the right button moves, double-click fits; the wheel zooms once the
// picture has been clicked. Fingers: one turns, two move and zoom. Keys: space, arrows, Home, End.
class Controls {
  constructor(viewer, section) {
    this.viewer = viewer;
    this.section = section;
    this.find = (name) => section.querySelector(name);
    this.transport();
    this.switches();
    this.bodies();
    this.gestures();
    this.keys();
    clock.follow((t) => this.atTime(t));
    this.atTime(clock.t);
  }

  transport() {
    const [first, last] = clock.range;
    this.slider = this.find(".scrub");
    this.slider.addEventListener("input", () => {
      // Read first: pausing puts the slider back to the present time.
      const [first, last] = clock.range;
      const t = first + (last - first) * Number(this.slider.value);
      clock.pause();
      clock.set(t);
    });
    this.find(".play").addEventListener("click", () => clock.toggle());
    markEvents(this.find(".events"));
    const speed = this.find(".speed");
    // A short run is slowed down and a long one sped up, to take about eight seconds.
    const span = last - first;
    const natural = !(span > 0) || (span > 4 && span < 30) ? 1 : 10 ** Math.round(Math.log10(span / 8));
    const speeds = [...new Set([0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, natural])].sort((a, b) => a - b);
    speed.append(...speeds.map((value) => new Option(readable(value) + " ×", value, false, value === natural)));
    speed.addEventListener("change", () => (clock.speed = Number(speed.value)));
    clock.speed = natural;
    this.toggle(".loop", () => clock.loop, (on) => (clock.loop = on));
  }

  toggle(name, get, set) {
    const made = this.find(name);
    const update = () => made.setAttribute("aria-pressed", String(get()));
    made.addEventListener("click", () => {
      set(!get());
      update();
    });
    update();
  }

  switches() {
    const { viewer } = this;
    const { scene } = viewer.mechanism;
    for (const name of ["labels", "joints", "forces", "paths", "shadow", "follow"])
      this.toggle("." + name, () => viewer.show[name], (on) => {
        viewer.show[name] = on;
        if (name === "follow") viewer.fit();
        viewer.later();
      });
    this.find(".joints").hidden = !scene.joints.length;
    this.find(".forces").hidden = this.find(".force-scale").hidden = !viewer.show.forces;
    this.find(".paths").hidden = !scene.traced.length;
    this.find(".force-scale input").addEventListener("input", (event) => {
      viewer.forceScale = 10 ** Number(event.target.value);
      viewer.later();
    });
    this.find(".view").addEventListener("change", (event) => {
      const axis = { x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, 1] }[event.target.value];
      if (axis) viewer.camera.lookAlong(axis);
      else viewer.camera.turnTo(viewer.camera.first);
      viewer.fit();
    });
    const { quantities, quantity } = viewer.mechanism;
    const choice = this.find(".quantity");
    choice.hidden = !quantities.size;
    choice.append(...[...quantities.keys()].map((name) => new Option(name, name, false, name === quantity)), new Option("plain colours", ""));
    choice.addEventListener("change", () => {
      viewer.mechanism.quantity = choice.value || null;
      viewer.later();
    });
    this.find(".fit").addEventListener("click", () => viewer.fit());
    this.find(".picture").addEventListener("click", () => viewer.snapshot().toBlob((blob) => save("animation.png", blob)));
    this.film = new Film(viewer, this.find(".film"));
    const full = this.find(".full");
    full.hidden = !document.fullscreenEnabled;
    full.addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : this.section.requestFullscreen()));
  }

  // A switch for every body, and one for all nodes of a beam.
  bodies() {
    const { viewer } = this;
    const place = this.find(".bodies");
    viewer.mechanism.bodies.forEach((body, k) => {
      const empty = !body.corners.length && !body.bars.length && !body.balls.length && !body.planes.length;
      if ((k === 0 && empty) || body.leader !== k) return;
      const own = (other) => other.leader === k;
      const made = button("", "Click once to see through this body, again to hide it, again to show it; double-click for this alone", () => {
        // shown, seen through, hidden, shown, …
        const [through, hidden] = body.hidden ? [false, false] : body.through ? [false, true] : [true, false];
        viewer.mechanism.bodies.filter(own).forEach((other) => Object.assign(other, { through, hidden }));
        this.updateBodies();
      });
      made.addEventListener("dblclick", () => {
        viewer.mechanism.bodies.forEach((other) => Object.assign(other, { through: false, hidden: !own(other) }));
        this.updateBodies();
      });
      const swatch = document.createElement("i");
      swatch.style.background = viewer.mechanism.scene.bodies[k].colour;
      made.append(swatch, body.name);
      made.dataset.body = k;
      place.append(made);
    });
    const all = button("show all", "Show every body", () => {
      viewer.mechanism.bodies.forEach((body) => Object.assign(body, { through: false, hidden: false }));
      this.updateBodies();
    });
    all.className = "all";
    place.append(all);
    this.updateBodies();
  }

  updateBodies() {
    const { bodies } = this.viewer.mechanism;
    for (const made of this.section.querySelectorAll(".bodies [data-body]")) {
      const body = bodies[made.dataset.body];
      made.setAttribute("aria-pressed", body.hidden ? "false" : body.through ? "mixed" : "true");
    }
    this.find(".bodies .all").hidden = bodies.every((body) => !body.hidden && !body.through);
    this.viewer.later();
  }

  gestures() {
    const { viewer } = this;
    const { camera, place } = viewer;
    const held = new Map();
    place.addEventListener("pointerdown", (event) => {
      held.set(event.pointerId, [event.clientX, event.clientY]);
      place.setPointerCapture(event.pointerId);
    });
    for (const name of ["pointerup", "pointercancel"]) place.addEventListener(name, (event) => held.delete(event.pointerId));
    place.addEventListener("pointermove", (event) => {
      const before = held.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY];
      const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
      const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
      held.set(event.pointerId, now);
      if (other) {
        const spread = (at) => Math.hypot(at[0] - other[0], at[1] - other[1]) || 1;
        camera.zoom(spread(before) / spread(now));
        camera.pan(0.5 * dx, 0.5 * dy, place.clientHeight);
      } else if (event.shiftKey || event.buttons & 6) camera.pan(dx, dy, place.clientHeight);
      else camera.orbit(dx, dy);
      viewer.later();
    });
    place.addEventListener("contextmenu", (event) => event.preventDefault());
    place.addEventListener("dblclick", () => viewer.fit());
    place.addEventListener(
      "wheel",
      (event) => {
        // Otherwise nobody could scroll past the picture.
        if (document.activeElement !== place && !event.ctrlKey) return;
        event.preventDefault();
        camera.zoom(Math.exp(0.0012 * event.deltaY));
        viewer.later();
      },
      { passive: false },
    );
  }

  keys() {
    this.section.addEventListener("keydown", (event) => {
      if (event.target.matches("input, select")) return;
      const [first, last] = clock.range;
      const step = (last - first) / 100;
      const action = {
        " ": () => clock.toggle(),
        ArrowLeft: () => clock.set(clock.t - step),
        ArrowRight: () => clock.set(clock.t + step),
        Home: () => clock.set(first),
        End: () => clock.set(last),
      }[event.key];
      // The space bar presses a button that has the focus.
      if (!action || (event.key === " " && event.target.matches("button"))) return;
      event.preventDefault();
      action();
    });
  }

  atTime(t) {
    const [first, last] = clock.range;
    this.slider.value = last > first ? (t - first) / (last - first) : 0;
    this.find(".time").textContent = t.toFixed(Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(last - first || 1))))) + timeUnit;
    const play = this.find(".play");
    const word = clock.playing ? "Pause" : "Play";
    if (play.title !== word) {
      play.title = word;
      play.setAttribute("aria-label", word);
      play.classList.toggle("playing", clock.playing);
    }
  }
}
