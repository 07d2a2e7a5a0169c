// The engine as the page sees it: questions with answers, in a worker that is replaced if it breaks.
class Engine {
  constructor(listener) {
    Object.assign(this, { listener, files: {}, last: 0, waiting: null });
  }

  static bytesOf(base64) {
    const letters = atob(base64);
    const bytes = new Uint8Array(letters.length);
    for (let k = 0; k < letters.length; k++) bytes[k] = letters.charCodeAt(k);
    return bytes;
  }

  // Bytes of a text of five letters for four bytes: those from # to x, but <.
  static bytesOfLetters(text) {
    const view = new DataView(new ArrayBuffer((text.length / 5) * 4));
    for (let k = 0; k < text.length; k += 5) {
      let number = 0;
      for (let i = k; i < k + 5; i++) number = 85 * number + text.charCodeAt(i) - (text.charCodeAt(i) > 60 ? 36 : 35);
      view.setUint32((k / 5) * 4, number);
    }
    return new Uint8Array(view.buffer);
  }

  // The engine as it is in the page; each worker unpacks it.
  static packed() {
    return (this.bytes ??= this.bytesOfLetters(document.getElementById("engine").textContent.trim()));
  }

  open() {
    return (this.opened ??= (async () => {
      const script = new Blob([document.getElementById("worker").textContent], { type: "text/javascript" });
      this.worker = new Worker(URL.createObjectURL(script));
      const ready = new Promise((done, failed) => {
        this.worker.onmessage = ({ data }) => (data.kind === "ready" ? done() : data.kind === "broken" && !data.id ? failed(new Error(data.message)) : this.hear(data));
        this.worker.onerror = (event) => failed(new Error(event.message));
      });
      this.worker.postMessage({ kind: "open", packed: Engine.packed(), files: this.files });
      return ready;
    })());
  }

  hear(message) {
    // a trap leaves the engine in the middle of something: the next question begins with a new one
    if (message.kind === "broken") this.close();
    this.listener(message);
  }

  close() {
    this.worker?.terminate();
    this.opened = this.worker = null;
  }

  async give(files) {
    this.files = Object.fromEntries(Object.entries(files).map(([name, content]) => [name, Engine.bytesOf(content)]));
    if (this.opened) {
      await this.open();
      this.worker.postMessage({ kind: "files", files: this.files });
    }
  }

  // Asks for a check or a run; returns the number that answers bear.
  ask(kind, name, source) {
    const id = ++this.last;
    this.open().then(
      () => this.worker.postMessage({ id, kind, name, source }),
      (error) => this.listener({ id, kind: "broken", message: error.message }),
    );
    return id;
  }

  stop() {
    this.worker?.postMessage({ kind: "stop" });
  }
}
