// The time that the animation and all plots share.
const clock = {
  range: data.range ?? [0, 0],
  t: data.range?.[0] ?? 0,
  playing: false,
  speed: 1,
  loop: true,
  last: 0,
  listeners: [],

  // Calls back with every new time, and when playing starts or stops.
  follow(listener) {
    this.listeners.push(listener);
  },

  set(t) {
    const [first, last] = this.range;
    this.t = Math.min(last, Math.max(first, t));
    this.tell();
  },

  tell() {
    for (const listener of this.listeners) listener(this.t);
  },

  play() {
    if (this.playing) return;
    // At the end, playing means playing again.
    if (this.t >= this.range[1]) this.t = this.range[0];
    this.playing = true;
    this.last = performance.now();
    requestAnimationFrame((now) => this.tick(now));
    this.tell();
  },

  pause() {
    this.playing = false;
    this.tell();
  },

  toggle() {
    this.playing ? this.pause() : this.play();
  },

  tick(now) {
    if (!this.playing) return;
    const [first, last] = this.range;
    const passed = Math.max(0, now - this.last) / 1000;
    this.last = now;
    let t = this.t + passed * this.speed;
    if (t >= last) {
      t = this.loop && last > first ? first + ((t - first) % (last - first)) : last;
      if (!this.loop) this.playing = false;
    }
    this.set(t);
    if (this.playing) requestAnimationFrame((next) => this.tick(next));
  },
};
