// The motion as a film, from its beginning to its end at the chosen speed.
class Film {
  constructor(viewer, button) {
    this.viewer = viewer;
    this.button = button;
    const known = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
    this.type = typeof MediaRecorder === "undefined" ? undefined : known.find((type) => MediaRecorder.isTypeSupported(type));
    button.hidden = !this.type || !HTMLCanvasElement.prototype.captureStream;
    button.addEventListener("click", () => (this.recorder ? this.stop() : this.record()));
  }

  // Resolves with the film; the page plays it while it is taken.
  record() {
    const { viewer } = this;
    const canvas = viewer.snapshot();
    const context = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: this.type, videoBitsPerSecond: 8e6 });
    const parts = [];
    recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
    const done = new Promise((resolve) => recorder.addEventListener("stop", () => resolve(new Blob(parts, { type: this.type }))));
    this.recorder = recorder;
    this.button.setAttribute("aria-pressed", "true");
    const { loop } = clock;
    clock.pause();
    clock.loop = false;
    clock.set(clock.range[0]);
    recorder.start();
    clock.play();
    const copy = () => {
      if (this.recorder !== recorder) return;
      context.drawImage(viewer.canvas, 0, 0, canvas.width, canvas.height);
      context.drawImage(viewer.overlay.canvas, 0, 0, canvas.width, canvas.height);
      if (clock.playing) requestAnimationFrame(copy);
      else this.stop();
    };
    // Drawn in the same turn as the picture, which the browser may clear afterwards.
    viewer.drawn = copy;
    requestAnimationFrame(copy);
    this.film = done.then((blob) => {
      clock.loop = loop;
      if (blob.size) save("animation." + (this.type.includes("mp4") ? "mp4" : "webm"), blob);
      return blob;
    });
    return this.film;
  }

  stop() {
    const { recorder } = this;
    this.recorder = null;
    this.viewer.drawn = null;
    clock.pause();
    // the encoder lags behind the pictures
    if (recorder) setTimeout(() => recorder.stop(), 400);
    this.button.setAttribute("aria-pressed", "false");
  }
}
