// Draws the mechanism at the time of the clock.
class Viewer {
  constructor(place, scene) {
    this.place = place;
    this.canvas = place.querySelector(".scene");
    this.mechanism = new Mechanism(scene);
    this.camera = new Camera(scene);
    this.show = { labels: scene.bodies.filter((body, k) => !body.part || body.part.leader === k).length <= 10, joints: true, forces: scene.arrows.length > 0 || Boolean(scene.contacts), paths: true, shadow: true, follow: this.mechanism.travels };
    this.overlay = new Overlay(this);
    this.frame = 0;
    this.forceScale = 1;
    this.ground = new Ground(this);
    this.measureForces();
    this.device = Device.on(this.canvas);
    if (!this.device) throw new Error("no WebGL");
    this.load();
    this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.device = Device.on(this.canvas);
      this.load();
      this.later();
    });
    new ResizeObserver(() => this.later()).observe(place);
    clock.follow(() => this.later());
    this.fit();
  }

  // Puts all shapes on the device.
  load() {
    const { device, mechanism } = this;
    this.meshes = Object.fromEntries(["ball", "cylinder", "cone", "box"].map((name) => [name, device.upload(shapes[name]())]));
    Object.assign(this.meshes, { turning: device.upload(turning()), spiral: device.upload(spiral()) });
    // Wheels that mesh have teeth of one size.
    const wheels = mechanism.scene.marks.filter(({ radius }) => radius > 0);
    const least = Math.min(...wheels.map(({ radius }) => radius));
    const teeth = ({ radius }) => (radius > 0 ? Math.min(120, Math.round((18 * radius) / least)) : 18);
    this.wheels = new Map(mechanism.scene.marks.filter(({ kind }) => kind === "gear" || kind === "ring").map((mark) => [mark, device.upload((mark.kind === "gear" ? toothed : toothedRing)(teeth(mark)))]));
    for (const body of mechanism.bodies) {
      body.mesh = body.corners.length ? device.upload(body) : null;
      body.lines = body.edges.length ? device.upload({ corners: body.edges }) : null;
    }
    this.ground.load(device);
    this.paths = mechanism.scene.traced.map(({ at }) => ({ body: at[0], mesh: device.upload({ corners: mechanism.path(at) }) }));
    this.tubeMeshes = new Map();
  }

  // Most forces are shorter than a quarter of the mechanism, or less if many act at once; impacts may be
  // far longer.
  measureForces() {
    const sizes = this.mechanism.strengths().sort((a, b) => a - b);
    this.crowd = Math.max(1, Math.cbrt(sizes.length / (8 * this.mechanism.times.length)));
    const usual = sizes[Math.floor(0.85 * (sizes.length - 1))];
    this.naturalScale = usual > 0 ? (0.25 * this.extent()) / (usual * this.crowd) : 0;
  }

  // The radius of a bar, and with it the size of symbols.
  get thin() {
    return 0.009 * this.mechanism.size;
  }

  get perNewton() {
    return this.naturalScale * this.forceScale;
  }

  // How large what is seen is: the mechanism, or its way if that is longer and not followed.
  extent() {
    const { size, whole } = this.mechanism;
    return this.show.follow ? size : Math.max(size, 0.6 * whole.radius);
  }

  // The box to be seen: the way of the mechanism, or what moves up and down above one place.
  box() {
    const { start, whole } = this.mechanism;
    if (!this.show.follow) return whole.box;
    const rise = (end) => vec.dot(whole.box[end], this.camera.vertical) - vec.dot(start[end], this.camera.vertical);
    const lift = (end) => vec.along(start[end], this.camera.vertical, rise(end));
    return { low: lift("low"), high: lift("high") };
  }

  fit() {
    const { clientWidth, clientHeight } = this.place;
    const aspect = (clientWidth || 16) / (clientHeight || 9);
    if (this.show.follow) this.camera.fit(this.box(), aspect);
    else this.camera.fitPoints(this.mechanism.cloud.concat(this.show.forces ? this.tips() : []), aspect);
    this.later();
  }

  // Where usual arrows end, over the whole film: the picture has room for them.
  tips() {
    const { mechanism, naturalScale } = this;
    const most = 0.3 * this.extent();
    const ends = [];
    const see = (values, at) => {
      const force = [values[at + 3], values[at + 4], values[at + 5]];
      const size = vec.length(force);
      if (size > 0) ends.push([...vec.along([values[at], values[at + 1], values[at + 2]], force, Math.min(naturalScale, most / size)), 0]);
    };
    const frames = mechanism.times.length;
    const stride = Math.max(1, Math.floor(frames / 60));
    for (const { values } of mechanism.arrows.slice(0, 200)) for (let k = 0; k < frames; k += stride) see(values, 6 * k);
    const passing = mechanism.contacts.values;
    const every = 7 * Math.max(1, Math.floor(passing.length / 7 / 5000));
    for (let at = 0; at < passing.length; at += every) see(passing, at + 1);
    return Mechanism.outermost(ends);
  }

  // How far the mechanism has gone, if it is followed. Up and down it is watched from one place.
  shift() {
    if (!this.show.follow) return [0, 0, 0];
    const { mechanism } = this;
    const first = mechanism.bodies.map((_, body) => mechanism.pose(0, body));
    const way = vec.subtract(mechanism.middle(), mechanism.middle(first));
    return vec.along(way, this.camera.vertical, -vec.dot(way, this.camera.vertical));
  }

  later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    const { device, mechanism } = this;
    const [width, height] = [this.place.clientWidth, this.place.clientHeight];
    if (width < 10 || height < 10 || device.gl.isContextLost()) return;
    const { gl } = device;
    const ratio = Math.min(2, devicePixelRatio || 1);
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== h) [this.canvas.width, this.canvas.height] = [w, h];
    gl.viewport(0, 0, w, h);
    mechanism.moveTo(clock.t);
    const seen = this.camera.matrix(width / height, Math.max(mechanism.size, mechanism.whole.radius), this.shift());
    const light = vec.unit(vec.add(vec.scale(seen.back, 0.6), vec.add(vec.scale(this.camera.vertical, 0.75), vec.scale(seen.right, -0.4))));
    device.used = null;
    for (const program of [device.line, device.solid]) {
      device.use(program);
      device.set({ camera: seen.camera, eye: seen.eye, light, up: this.camera.vertical, centre: this.ground.below(seen.target) });
    }
    gl.clearColor(...rgb(token("--card")), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    // What is seen through comes last, or it would hide what is behind it.
    const pale = [];
    this.solids((mesh, values) => ((values.alpha ?? 1) < 1 ? pale.push([mesh, values]) : device.drawSolid(mesh, values)));
    gl.disable(gl.POLYGON_OFFSET_FILL);
    this.edges();
    if (this.show.joints) {
      this.behind((shade) => this.drives(shade));
      this.drives((colour) => colour);
    }
    if (this.show.forces) this.forces();
    this.ground.draw(device);
    this.seenThrough(pale, seen.eye);
    this.overlay.draw(seen, width, height);
    this.drawn?.();
  }

  // The far ones first; each shows its near side only, so that none is painted twice.
  seenThrough(pale, eye) {
    const { device } = this;
    const { gl } = device;
    const distance = ([, { model }]) => Math.hypot(model[12] - eye[0], model[13] - eye[1], model[14] - eye[2]);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    for (const [mesh, values] of pale.sort((a, b) => distance(b) - distance(a))) device.drawSolid(mesh, values);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  // How opaque a body is drawn.
  alphaOf(body) {
    return body.through ? 0.25 * body.opacity : body.opacity;
  }

  // Everything solid, drawn by a function of mesh and values.
  solids(paint) {
    const { mechanism, meshes } = this;
    const { thin } = this;
    mechanism.bodies.forEach((body, k) => {
      if (body.hidden) return;
      const model = mat.ofPose(mechanism.poses[k]);
      const { colour } = body;
      const alpha = this.alphaOf(body);
      if (body.mesh) paint(body.mesh, { model, colour, alpha });
      const local = (matrix) => mat.multiply(model, matrix);
      const ball = (at, r, hollow) => paint(meshes.ball, { model: local(mat.columns([r, 0, 0], [0, r, 0], [0, 0, r], at)), colour, alpha: hollow ? 0.2 * alpha : alpha });
      for (const [a, b] of body.bars) {
        paint(meshes.cylinder, { model: local(mat.between(a, b, thin)), colour, alpha });
        ball(a, 1.2 * thin);
        ball(b, 1.2 * thin);
      }
      for (const one of body.balls) ball(one.slice(0, 3), one[3], one.hollow);
      for (const at of body.masses) ball(at, 2.4 * thin);
    });
    this.lines(paint, thin);
    if (this.show.joints) {
      this.joints(paint, thin);
      this.marks(paint, thin);
    }
  }

  lines(paint, thin) {
    const { mechanism, meshes } = this;
    const grey = [0.52, 0.55, 0.6];
    mechanism.scene.lines.forEach((line, k) => {
      if (this.hides(line.ends)) return;
      const [a, b] = line.ends.map((end) => mechanism.place(end));
      if (!(vec.length(vec.subtract(b, a)) > 0)) return;
      if (line.kind === "rod") return paint(meshes.cylinder, { model: mat.between(a, b, 0.6 * thin), colour: grey });
      if (line.kind !== "spring") this.damper(paint, a, b, thin, k);
      if (line.kind !== "damper") paint(this.tubeMesh("line" + k, tubeAlong(coil(a, b, 2.6 * thin, 9), 0.38 * thin, null, 6)), { model: mat.ofPose(origin), colour: grey });
    });
    mechanism.tubes.forEach((tube, k) => {
      const body = mechanism.bodies[tube.body];
      if (body.hidden) return;
      const { points, across, colours } = mechanism.bent(tube);
      // A wire is never too thin to be seen.
      const radius = Math.max(tube.radius, 0.0022 * mechanism.size);
      const shape = across ? prismAlong(points, across, tube.outline, colours) : tubeAlong(points, radius, colours, 12);
      paint(this.tubeMesh("tube" + k, shape), { model: mat.ofPose(origin), colour: body.colour, alpha: this.alphaOf(body) });
    });
    mechanism.skins.forEach((skin, k) => {
      const body = mechanism.bodies[skin.body];
      if (body.hidden) return;
      const { points, colours } = mechanism.bent(skin);
      paint(this.tubeMesh("skin" + k, flatSkin(points, skin.triangles, colours)), { model: mat.ofPose(origin), colour: body.colour, alpha: this.alphaOf(body) });
    });
  }

  // The mesh of a tube at the present time, made once for solids and shadows.
  tubeMesh(key, shape) {
    const mesh = this.device.upload(shape, this.tubeMeshes.get(key));
    this.tubeMeshes.set(key, mesh);
    return mesh;
  }

  // A joint is hidden with its body; a line with either end.
  hides(ends) {
    return ends.some(([body]) => this.mechanism.bodies[body].hidden);
  }

  joints(paint, thin) {
    const { mechanism, meshes } = this;
    const dark = rgb(token("--joint"));
    for (const joint of mechanism.scene.joints) {
      if (mechanism.bodies[joint.body].hidden) continue;
      const at = mechanism.place(joint.at);
      const axis = mechanism.direction(joint.axis);
      const r = 1.6 * thin;
      const symbol = joint.symbol;
      if (symbol === "pin") paint(meshes.cylinder, { model: mat.along(vec.along(at, axis, -1.4 * r), axis, [r, r, 2.8 * r]), colour: dark });
      else if (symbol === "guide") paint(meshes.box, { model: mat.along(at, axis, [2.2 * r, 2.2 * r, 3.4 * r]), colour: dark });
      else if (symbol === "ball") paint(meshes.ball, { model: mat.columns([r, 0, 0], [0, r, 0], [0, 0, r], at), colour: dark });
      else if (symbol === "block") paint(meshes.box, { model: mat.along(at, axis, [2 * r, 2 * r, 2 * r]), colour: dark });
      if (joint.grounded && symbol && symbol !== "guide" && !this.ground.plane) {
        const below = vec.along(at, this.camera.vertical, -3.4 * r);
        paint(meshes.cone, { model: mat.along(below, this.camera.vertical, [2 * r, 2 * r, 3.4 * r]), colour: [0.6, 0.62, 0.65] });
      }
    }
  }

  // A cylinder on one end and a rod with a piston from the other: it slides in as the ends come near.
  damper(paint, a, b, thin, k) {
    const { meshes } = this;
    this.rests ??= new Map();
    const way = vec.subtract(b, a);
    const length = vec.length(way);
    if (!this.rests.has(k)) this.rests.set(k, length);
    const sleeve = Math.min(0.85 * length, 0.5 * this.rests.get(k));
    const end = vec.along(a, way, sleeve / length);
    paint(meshes.cylinder, { model: mat.between(a, end, 1.5 * thin), colour: [0.36, 0.39, 0.44] });
    paint(meshes.cylinder, { model: mat.between(end, b, 0.6 * thin), colour: [0.75, 0.77, 0.8] });
  }

  // What drives joints.
  drives(shade) {
    const { device, mechanism, meshes } = this;
    const paint = (mesh, model) => device.drawSolid(mesh, { model, colour: accent });
    const r = 1.6 * this.thin;
    const accent = shade(rgb(token("--c4")));
    for (const mark of mechanism.scene.marks) {
      if (mechanism.bodies[mark.body].hidden) continue;
      const [at, axis] = [mechanism.place(mark.at), mechanism.direction(mark.axis)];
      if (mark.kind === "motor") paint(meshes.turning, mat.along(at, axis, [3.2 * r, 3.2 * r, 3.2 * r]));
      else if (mark.kind === "pusher") {
        const from = vec.along(at, vec.across(axis), 2.2 * r);
        const tip = vec.along(from, axis, 4 * r);
        paint(meshes.cylinder, mat.between(from, tip, 0.35 * r));
        paint(meshes.cone, mat.along(tip, axis, [0.9 * r, 0.9 * r, 2 * r]));
      }
    }
  }

  // Gears, bushings, and springs and dampers on angles.
  marks(paint, thin) {
    const { mechanism, meshes } = this;
    const r = 1.6 * thin;
    for (const mark of mechanism.scene.marks) {
      if (mechanism.bodies[mark.body].hidden) continue;
      const [at, axis] = [mechanism.place(mark.at), mechanism.direction(mark.axis)];
      if (this.wheels.has(mark)) {
        const radius = mark.radius || 4 * r;
        paint(this.wheels.get(mark), { model: mat.along(at, axis, [radius, radius, 0.8 * r]), colour: [0.55, 0.57, 0.6], alpha: 0.55 });
      } else if (mark.kind === "bushing") {
        const from = vec.along(at, axis, -1.5 * r);
        paint(meshes.cylinder, { model: mat.along(from, axis, [1.1 * r, 1.1 * r, 3 * r]), colour: [0.75, 0.77, 0.8] });
        paint(meshes.cylinder, { model: mat.along(vec.along(from, axis, 0.3 * r), axis, [2.3 * r, 2.3 * r, 2.4 * r]), colour: [0.2, 0.21, 0.23], alpha: 0.6 });
      } else if (mark.kind.startsWith("torsion")) {
        // beside the joint, so that neither hides the other
        const beside = vec.along(at, axis, 2 * r);
        if (mark.kind !== "torsion-damper") paint(meshes.spiral, { model: mat.along(beside, axis, [3.4 * r, 3.4 * r, 3.4 * r]), colour: [0.52, 0.55, 0.6] });
        if (mark.kind !== "torsion-spring") paint(meshes.cylinder, { model: mat.along(vec.along(at, axis, -2.6 * r), axis, [2.3 * r, 2.3 * r, 1.1 * r]), colour: [0.36, 0.39, 0.44] });
      }
    }
  }

  edges() {
    const { device, mechanism } = this;
    const { gl } = device;
    gl.enable(gl.BLEND);
    mechanism.bodies.forEach((body, k) => {
      if (!body.hidden && body.lines) device.drawLines(body.lines, { model: mat.ofPose(mechanism.poses[k]), colour: vec.scale(body.colour, 0.45), alpha: 0.7 });
    });
    if (this.show.paths)
      for (const { body, mesh } of this.paths)
        if (!mechanism.bodies[body].hidden) device.drawLines(mesh, { model: mat.ofPose(origin), colour: rgb(token("--c1")), alpha: 0.8 }, true);
    gl.disable(gl.BLEND);
  }

  // What is painted is seen where bodies hide it, but paler.
  behind(paint) {
    const { gl } = this.device;
    gl.depthMask(false);
    gl.depthFunc(gl.GREATER);
    const card = rgb(token("--card"));
    paint((colour) => vec.along(colour, vec.subtract(card, colour), 0.45));
    gl.depthFunc(gl.LESS);
    gl.depthMask(true);
  }

  // Forces are seen through bodies; in a crowd only where nothing hides them.
  forces() {
    const acting = this.mechanism.acting().filter(({ body }) => !this.mechanism.bodies[body].hidden);
    if (acting.length <= 60) this.behind((shade) => this.arrows(acting, shade));
    this.arrows(acting, (colour) => colour);
  }

  arrows(acting, shade) {
    const { device, meshes } = this;
    const most = 1.2 * this.extent();
    const thin = (0.006 * this.extent()) / this.crowd;
    const head = 4.5 * thin;
    for (const { kind, place, force } of acting) {
      const length = Math.min(most, vec.length(force) * this.perNewton);
      if (length < 0.3 * head) continue;
      const colour = shade(rgb(token(kind === "contact" ? "--c1" : "--c3")));
      const direction = vec.unit(force);
      const neck = vec.along(place, direction, Math.max(0, length - head));
      if (length > head) device.drawSolid(meshes.cylinder, { model: mat.between(place, neck, thin), colour });
      const r = 0.45 * Math.min(head, length);
      device.drawSolid(meshes.cone, { model: mat.along(neck, direction, [r, r, Math.min(head, length)]), colour });
    }
  }

  // The picture of this instant.
  snapshot() {
    this.draw();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [this.canvas.width, this.canvas.height];
    const context = canvas.getContext("2d");
    context.drawImage(this.canvas, 0, 0);
    context.drawImage(this.overlay.canvas, 0, 0, canvas.width, canvas.height);
    return canvas;
  }
}
