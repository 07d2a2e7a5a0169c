// An eye that goes round a point, with the vertical upright.
const fieldOfView = (30 * Math.PI) / 180;

class Camera {
  constructor(scene) {
    const heavy = vec.length(scene.gravity) > 0;
    this.vertical = heavy ? vec.scale(vec.unit(scene.gravity), -1) : Camera.nearestAxis(scene.up);
    const rise = vec.dot(scene.eye, this.vertical);
    const level = vec.along(scene.eye, this.vertical, -rise);
    // Seen from above, what is upwards in the picture is away from the eye.
    this.front = vec.unit(vec.length(level) > 0.1 ? level : vec.scale(scene.up, -1));
    this.side = vec.cross(this.vertical, this.front);
    const flat = Math.abs(rise) < 0.05;
    // A little from the side, so that a flat mechanism is seen as a body.
    this.first = { azimuth: flat ? 0.32 : 0, elevation: flat ? 0.2 : Math.asin(Math.max(-1, Math.min(1, rise))) };
    this.target = [0, 0, 0];
    this.distance = 1;
    this.turnTo(this.first);
  }

  static nearestAxis(direction) {
    const sizes = direction.map(Math.abs);
    const k = sizes.indexOf(Math.max(...sizes));
    return [0, 1, 2].map((i) => (i === k ? Math.sign(direction[k]) : 0));
  }

  turnTo({ azimuth, elevation }) {
    this.azimuth = azimuth;
    this.elevation = Math.max(-1.5707, Math.min(1.5707, elevation));
  }

  // Directions of the picture in the world.
  axes() {
    const [ca, sa] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
    const [ce, se] = [Math.cos(this.elevation), Math.sin(this.elevation)];
    const level = vec.add(vec.scale(this.front, ca), vec.scale(this.side, sa));
    const back = vec.add(vec.scale(level, ce), vec.scale(this.vertical, se));
    const right = vec.add(vec.scale(this.side, ca), vec.scale(this.front, -sa));
    return { right, up: vec.cross(back, right), back };
  }

  // From the direction of a world axis, which then points to the eye.
  lookAlong(axis) {
    const rise = vec.dot(axis, this.vertical);
    const azimuth = Math.abs(rise) > 0.99 ? 0 : Math.atan2(vec.dot(axis, this.side), vec.dot(axis, this.front));
    this.turnTo({ azimuth, elevation: Math.asin(Math.max(-1, Math.min(1, rise))) });
  }

  // Makes a box fill the picture.
  fit({ low, high }, aspect) {
    this.target = vec.scale(vec.add(low, high), 0.5);
    const { right, up, back } = this.axes();
    const slope = 0.88 * Math.tan(0.5 * fieldOfView);
    // Every corner must be within the pyramid of sight.
    this.distance = Math.max(
      ...cornersOf(low, high).map((corner) => {
        const d = vec.subtract(corner, this.target);
        return vec.dot(back, d) + Math.max(Math.abs(vec.dot(up, d)) / slope, Math.abs(vec.dot(right, d)) / (slope * aspect));
      }),
    );
  }

  // Makes points with radii fill the picture: the middle of what is seen is the middle of the picture.
  fitPoints(points, aspect) {
    const { right, up, back } = this.axes();
    const slope = Math.tan(0.5 * fieldOfView);
    const margin = 0.9;
    const range = (axis) => {
      const reach = points.map((p) => vec.dot(axis, p));
      return [Math.min(...reach.map((x, k) => x - points[k][3])), Math.max(...reach.map((x, k) => x + points[k][3]))];
    };
    const middle = (axis) => 0.5 * (range(axis)[0] + range(axis)[1]);
    this.target = vec.along(vec.along(vec.scale(right, middle(right)), up, middle(up)), back, middle(back));
    // Perspective makes what is near larger: aim again at the middle of what is seen.
    for (let pass = 0; pass < 4; pass++) {
      let [left, most, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
      this.distance = Math.max(
        ...points.map((p) => {
          const d = vec.subtract(p, this.target);
          const wide = Math.abs(vec.dot(right, d)) + p[3];
          const tall = Math.abs(vec.dot(up, d)) + p[3];
          return vec.dot(back, d) + p[3] + Math.max(tall / (margin * slope), wide / (margin * slope * aspect));
        }),
      );
      for (const p of points) {
        const d = vec.subtract(p, this.target);
        const scale = 1 / Math.max(1e-9, this.distance - vec.dot(back, d));
        left = Math.min(left, (vec.dot(right, d) - p[3]) * scale);
        most = Math.max(most, (vec.dot(right, d) + p[3]) * scale);
        low = Math.min(low, (vec.dot(up, d) - p[3]) * scale);
        high = Math.max(high, (vec.dot(up, d) + p[3]) * scale);
      }
      this.target = vec.along(vec.along(this.target, right, 0.5 * (left + most) * this.distance), up, 0.5 * (low + high) * this.distance);
    }
  }

  orbit(dx, dy) {
    this.turnTo({ azimuth: this.azimuth - 0.008 * dx, elevation: this.elevation + 0.008 * dy });
  }

  pan(dx, dy, height) {
    const { right, up } = this.axes();
    const scale = (2 * this.distance * Math.tan(0.5 * fieldOfView)) / height;
    this.target = vec.along(vec.along(this.target, right, -dx * scale), up, dy * scale);
  }

  zoom(factor) {
    this.distance *= factor;
  }

  // The matrix of the camera about a target that may move with the mechanism.
  matrix(aspect, size, shift) {
    const { right, up, back } = this.axes();
    const target = vec.add(this.target, shift);
    const eye = vec.along(target, back, this.distance);
    const far = this.distance + 60 * size;
    const projection = mat.perspective(fieldOfView, aspect, Math.max(0.02 * this.distance, this.distance - 40 * size), far);
    return { eye, right, up, back, target, camera: mat.multiply(projection, mat.look(eye, right, up, back)) };
  }
}
