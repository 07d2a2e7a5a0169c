// Links to a view: the time, the visible times, the camera and what is shown, in the address of the page.
const bookmark = {
  // The present view as a piece of an address.
  of(viewer) {
    const short = (x) => Number(x.toPrecision(6));
    const view = { t: short(clock.t) };
    if (link.range) view.range = link.range.map(short);
    if (viewer) {
      const { azimuth, elevation, distance, target } = viewer.camera;
      view.camera = [azimuth, elevation, distance, ...target].map(short);
      const names = (wanted) => viewer.mechanism.bodies.filter((body, k) => body.leader === k && wanted(body)).map((body) => body.name);
      const [hidden, through] = [names((body) => body.hidden), names((body) => body.through)];
      if (hidden.length) view.hidden = hidden;
      if (through.length) view.through = through;
      if (viewer.mechanism.quantity) view.colours = viewer.mechanism.quantity;
    }
    return "#view=" + encodeURIComponent(JSON.stringify(view));
  },

  // Goes to the view of an address, if it names one.
  go(hash, viewer, controls) {
    if (!hash.startsWith("#view=")) return false;
    let view;
    try {
      view = JSON.parse(decodeURIComponent(hash.slice(6)));
    } catch {
      return false;
    }
    if (Array.isArray(view.range)) link.show(view.range);
    if (viewer) {
      const numbers = view.camera?.every(Number.isFinite) && view.camera;
      if (numbers) Object.assign(viewer.camera, { azimuth: numbers[0], elevation: numbers[1], distance: numbers[2], target: numbers.slice(3, 6) });
      for (const body of viewer.mechanism.bodies) {
        const { name } = body.leader === undefined ? body : viewer.mechanism.bodies[body.leader];
        Object.assign(body, { hidden: view.hidden?.includes(name) ?? false, through: view.through?.includes(name) ?? false });
      }
      if (viewer.mechanism.quantities.has(view.colours)) viewer.mechanism.quantity = view.colours;
      controls?.updateBodies();
      viewer.later();
    }
    if (Number.isFinite(view.t)) clock.set(view.t);
    return true;
  },
};
