// The mechanism over time: where its bodies are, and what is fixed to them.
function floatsOf(base64) {
  return base64 ? new Float32Array(bytes(base64)) : new Float32Array(0);
}

function triples(numbers, width = 3) {
  const list = [];
  for (let k = 0; k + width <= numbers.length; k += width) list.push([...numbers.subarray(k, k + width)]);
  return list;
}

// Each of several lists of numbers once: contacts of one floor all bring it.
function once(lists) {
  return [...new Map(lists.map((list) => [list.map((x) => x.toFixed(6)).join(), list])).values()];
}

const origin = { p: [0, 0, 0], q: [1, 0, 0, 0] };

class Mechanism {
  constructor(scene) {
    this.scene = scene;
    this.size = scene.size;
    this.times = new Float64Array(bytes(scene.times));
    this.frames = floatsOf(scene.frames);
    this.bodies = scene.bodies.map((body, k) => ({
      name: body.part ? body.part.of : body.name,
      // nodes of a beam or a flexible body are shown and hidden together
      leader: body.part ? body.part.leader : k,
      colour: rgb(body.colour),
      corners: floatsOf(body.corners),
      normals: floatsOf(body.normals),
      edges: floatsOf(body.edges),
      bars: triples(floatsOf(body.bars), 6).map((ends) => [ends.slice(0, 3), ends.slice(3)]),
      balls: triples(floatsOf(body.balls), 4),
      masses: triples(floatsOf(body.masses)),
      planes: once(triples(floatsOf(body.planes), 7)),
      opacity: body.opacity ?? 1,
      scenery: Boolean(body.scenery),
      // as the model says, seen through, or hidden
      through: false,
      hidden: false,
    }));
    this.arrows = scene.arrows.map((arrow) => ({ ...arrow, values: floatsOf(arrow.values) }));
    const { ends, values } = scene.contacts ?? { ends: [], values: "" };
    this.contacts = { ends, values: floatsOf(values) };
    const decoded = (fields) => fields.map((field) => ({ ...field, values: new Uint8Array(bytes(field.values)) }));
    this.skins = scene.skins.map((skin) => ({ ...skin, points: floatsOf(skin.points), fields: decoded(skin.fields) }));
    this.tubes = scene.tubes.map((tube) => ({ ...tube, points: floatsOf(tube.points), across: floatsOf(tube.across), fields: decoded(tube.fields) }));
    // What may be shown in colours; unless the reader chooses, that which most bodies have, and of these the first.
    const fields = [...this.skins, ...this.tubes].flatMap((bent) => bent.fields);
    this.quantities = new Map(fields.map((field) => [field.quantity, field]));
    const bearers = (quantity) => fields.filter((field) => field.quantity === quantity).length;
    this.quantity = [...this.quantities.keys()].reduce((best, one) => (best === null || bearers(one) > bearers(best) ? one : best), null);
    this.poses = this.bodies.map(() => origin);
    this.part = 0;
    this.index = 0;
    this.bound();
    this.openHousings();
    this.openBowls();
  }

  // What has another body within it is seen through: a housing would hide what is worth seeing.
  openHousings() {
    const placed = this.bodies.map((body, k) => Mechanism.edge(body).map((p) => this.place([k, ...p.slice(0, 3)], this.pose(0, k))));
    this.bodies.forEach((body, k) => {
      if (!body.corners.length || body.opacity < 1) return;
      const box = Mechanism.box(body.corners);
      const [low, high] = [box[0], box[7]];
      const { p, q } = this.pose(0, k);
      const back = [q[0], -q[1], -q[2], -q[3]];
      const within = (point) => rotate(back, vec.subtract(point, p)).every((x, i) => x > low[i] && x < high[i]);
      const holds = (points, other) => other !== k && other > 0 && points.length > 1 && points.every(within);
      body.through = placed.some(holds);
    });
  }

  // The same for balls that have others within them: the bowl of a contact, a hollow sphere. The largest do for looking.
  openBowls() {
    const placed = ([x, y, z, r], k) => ({ k, r, at: this.place([k, x, y, z], this.pose(0, k)) });
    const edges = this.bodies.map((body, k) => Mechanism.edge(body).map((point) => placed(point, k)));
    const solid = edges.map((points) => points.length > 1 || points[0]?.r > 0);
    const balls = this.bodies.flatMap((body, k) => body.balls.map((ball) => ({ ball, ...placed(ball, k) })));
    for (const { ball, k, r, at } of balls.sort((a, b) => b.r - a.r).slice(0, 40)) {
      const within = (point) => vec.length(vec.subtract(point.at, at)) + point.r < 1.01 * r;
      ball.hollow = edges.some((points, other) => other > 0 && other !== k && solid[other] && points.every(within));
    }
  }

  // The pose of a body in a frame.
  pose(index, body) {
    if (body === 0) return origin;
    const at = 7 * (index * (this.bodies.length - 1) + body - 1);
    const f = this.frames;
    return { p: [f[at], f[at + 1], f[at + 2]], q: [f[at + 3], f[at + 4], f[at + 5], f[at + 6]] };
  }

  // Moves everything to a time, between two frames.
  moveTo(t) {
    const last = this.times.length - 1;
    const next = Math.min(last, indexAt(this.times, t));
    const index = Math.max(0, next - 1);
    const span = this.times[next] - this.times[index];
    this.index = index;
    this.next = next;
    this.part = span > 0 ? Math.min(1, Math.max(0, (t - this.times[index]) / span)) : 1;
    for (let body = 1; body < this.bodies.length; body++) {
      const [a, b] = [this.pose(index, body), this.pose(next, body)];
      const sign = a.q[0] * b.q[0] + a.q[1] * b.q[1] + a.q[2] * b.q[2] + a.q[3] * b.q[3] < 0 ? -1 : 1;
      const q = a.q.map((x, i) => x + this.part * (sign * b.q[i] - x));
      const length = Math.hypot(...q) || 1;
      this.poses[body] = { p: vec.along(a.p, vec.subtract(b.p, a.p), this.part), q: q.map((x) => x / length) };
    }
  }

  // Numbers that were recorded with each frame, between two frames.
  between(numbers, width, from = 0, count = width) {
    const [a, b] = [this.index * width + from, this.next * width + from];
    return Array.from({ length: count }, (_, i) => numbers[a + i] + this.part * (numbers[b + i] - numbers[a + i]));
  }

  // A place [body, x, y, z] in the world.
  place([body, ...at], pose = this.poses[body]) {
    return vec.add(pose.p, rotate(pose.q, at));
  }

  direction([body, ...axis]) {
    return rotate(this.poses[body].q, axis);
  }

  // Place and force of an arrow.
  force(arrow) {
    const numbers = this.between(arrow.values, 6);
    // A contact that opens or closes between two frames has a place in only one of them.
    const nearest = 6 * (this.part < 0.5 ? this.index : this.next);
    const place = arrow.kind === "contact" ? [...arrow.values.subarray(nearest, nearest + 3)] : numbers.slice(0, 3);
    const force = arrow.kind === "contact" ? [...arrow.values.subarray(nearest + 3, nearest + 6)] : numbers.slice(3);
    return { place, force };
  }

  // All forces at the present time, as { body, kind, place, force }.
  acting() {
    const arrows = this.arrows.map((arrow) => ({ body: arrow.body, kind: arrow.kind, ...this.force(arrow) }));
    const { ends, values } = this.contacts;
    const nearest = this.part < 0.5 ? this.index : this.next;
    const [from, to] = [ends[nearest - 1] ?? 0, ends[nearest] ?? 0];
    const passing = triples(values.subarray(7 * from, 7 * to), 7);
    return arrows.concat(passing.map((v) => ({ body: v[0], kind: "contact", place: v.slice(1, 4), force: v.slice(4) })));
  }

  // How strong all forces of the film are, but those that are zero or rounding.
  strengths() {
    const sizes = [];
    const see = (values, width) => {
      for (let k = width - 3; k < values.length; k += width) sizes.push(Math.hypot(values[k], values[k + 1], values[k + 2]));
    };
    for (const { values } of this.arrows) see(values, 6);
    see(this.contacts.values, 7);
    const floor = floorOf("N");
    return sizes.filter((size) => size > floor);
  }

  // Where the name of a body stands: at its place, or in the middle of a beam.
  middleOf(k) {
    const tube = this.tubes.find((tube) => tube.body === k);
    return tube ? this.between(tube.points, 3 * tube.count, 3 * (tube.count >> 1), 3) : this.poses[k].p;
  }

  // Points, directions across and colours of a bent body.
  bent(bent) {
    const vectors = (numbers) => triples(Float32Array.from(this.between(numbers, 3 * bent.count)));
    const points = vectors(bent.points);
    const across = bent.across?.length ? vectors(bent.across) : null;
    const field = bent.fields.find((field) => field.quantity === this.quantity);
    if (!field) return { points, across, colours: null };
    const [low, high] = heatRange(field);
    const [least, most] = field.range;
    const value = (part) => least + (part / 255) * (most - least);
    const parts = this.between(field.values, bent.count).map((part) => (value(part) - low) / (high - low || 1));
    return { points, across, colours: parts.map((part) => heat(part, low < 0 && high > 0)) };
  }

  // The path of a point, at every frame.
  path(at) {
    const points = [];
    const stride = Math.max(1, Math.floor(this.times.length / 2000));
    for (let k = 0; k < this.times.length; k += stride) points.push(...this.place(at, this.pose(k, at[0])));
    return points;
  }

  // Points at the edge of what is fixed to a body, each with a radius; of a fine surface the corners of its box.
  static edge(body) {
    const points = [];
    if (body.corners.length <= 6000) points.push(...triples(body.corners).map((p) => [...p, 0]));
    else points.push(...Mechanism.box(body.corners).map((p) => [...p, 0]));
    points.push(...body.bars.flat().map((p) => [...p, 0]), ...body.masses.map((p) => [...p, 0]), ...body.balls);
    return points;
  }

  // The corners of the box around points.
  static box(numbers) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const see = (p) => {
      for (let i = 0; i < 3; i++) {
        low[i] = Math.min(low[i], p[i]);
        high[i] = Math.max(high[i], p[i]);
      }
    };
    for (let k = 0; k < numbers.length; k += 3) see(numbers.subarray(k, k + 3));
    return cornersOf(low, high);
  }

  // Where the mechanism is, over the whole film and at its start.
  bound() {
    const locals = this.bodies.map(Mechanism.edge).map((edge) => (edge.length > 200 ? Mechanism.outermost(edge) : edge));
    const seen = [];
    const shown = this.scene.joints.filter((joint) => joint.symbol);
    const fixed = shown.map((joint) => joint.at).concat(this.scene.lines.flatMap((line) => line.ends));
    const boxAt = (index) => {
      const box = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
      const see = (p, r = 0) => {
        seen.push([...p, r]);
        for (let i = 0; i < 3; i++) {
          box.low[i] = Math.min(box.low[i], p[i] - r);
          box.high[i] = Math.max(box.high[i], p[i] + r);
        }
      };
      locals.forEach((edge, body) => {
        if (this.bodies[body].scenery) return;
        const pose = this.pose(index, body);
        edge.forEach((point) => see(this.place([body, point[0], point[1], point[2]], pose), point[3]));
      });
      fixed.forEach((at) => see(this.place(at, this.pose(index, at[0]))));
      for (const skin of this.skins) {
        const points = triples(skin.points.subarray(index * 3 * skin.count, (index + 1) * 3 * skin.count));
        const stride = Math.ceil(points.length / 300);
        points.filter((_, k) => k % stride === 0).forEach((p) => see(p));
      }
      for (const tube of this.tubes) triples(tube.points.subarray(index * 3 * tube.count, (index + 1) * 3 * tube.count)).forEach((p) => see(p, tube.radius));
      return box;
    };
    const frames = this.times.length;
    const samples = Math.min(frames, 120);
    const boxes = Array.from({ length: samples }, (_, k) => boxAt(samples > 1 ? Math.round((k * (frames - 1)) / (samples - 1)) : 0));
    const union = boxes.reduce((a, b) => ({ low: a.low.map((x, i) => Math.min(x, b.low[i])), high: a.high.map((x, i) => Math.max(x, b.high[i])) }));
    const centre = (box) => vec.scale(vec.add(box.low, box.high), 0.5);
    const radius = (box) => 0.5 * vec.length(vec.subtract(box.high, box.low)) || 0.5 * this.size;
    // The box of the start, as large as the mechanism ever gets.
    const growth = Math.max(...boxes.map(radius)) / radius(boxes[0]);
    const grow = (end) => vec.along(centre(boxes[0]), vec.subtract(end, centre(boxes[0])), growth);
    this.start = { low: grow(boxes[0].low), high: grow(boxes[0].high) };
    this.whole = { centre: centre(union), radius: radius(union), box: union };
    // Points that the picture must hold, each with a radius: of many the outermost in every direction do.
    this.cloud = Mechanism.outermost(seen);
    // One that goes far away is followed.
    this.travels = this.whole.radius > 10 * radius(this.start);
  }

  // The points of a cloud that are outermost in some direction: what is within them needs no room of its own.
  static outermost(points) {
    const best = new Map();
    const directions = [];
    for (let i = 0; i < 160; i++) {
      const z = 1 - (2 * i + 1) / 160;
      const angle = 2.399963 * i;
      const r = Math.sqrt(1 - z * z);
      directions.push([r * Math.cos(angle), r * Math.sin(angle), z]);
    }
    for (const [k, d] of directions.entries()) {
      let most = -Infinity;
      for (const p of points) {
        const reach = d[0] * p[0] + d[1] * p[1] + d[2] * p[2] + p[3];
        if (reach > most) {
          most = reach;
          best.set(k, p);
        }
      }
    }
    return [...new Set(best.values())];
  }

  // The middle of all bodies, to be followed.
  middle(poses = this.poses) {
    const moving = poses.slice(1).map((pose) => pose.p);
    return moving.length ? vec.scale(moving.reduce(vec.add), 1 / moving.length) : [0, 0, 0];
  }
}

// The range of colours: round numbers; zero is in the middle if it is inside.
function heatRange({ range: [low, high], unit }) {
  if (Math.max(-low, high) < floorOf(unit)) return [0, 1];
  if (!(high > low)) return [low, low + (Math.abs(low) || 1)];
  const step = roundStep((high - low) / 4);
  const [from, to] = [Math.floor(low / step + 1e-6) * step, Math.ceil(high / step - 1e-6) * step];
  const most = Math.max(-from, to);
  return low < 0 && high > 0 ? [-most, most] : [from, to];
}
