// The graphics device: two small programs and buffers.
const solidVertex = `#version 300 es
in vec3 corner; in vec3 normal; in vec3 shade;
uniform mat4 camera, model; uniform vec3 colour; uniform float shaded;
out vec3 place, outward, paint;
void main() {
  vec4 world = model * vec4(corner, 1.0);
  place = world.xyz;
  outward = transpose(inverse(mat3(model))) * normal;
  paint = mix(colour, shade, shaded);
  gl_Position = camera * world;
}`;

const solidFragment = `#version 300 es
precision highp float;
in vec3 place, outward, paint;
uniform vec3 eye, light, up; uniform float alpha, plain;
out vec4 pixel;
void main() {
  vec3 towards = normalize(eye - place);
  vec3 n = normalize(outward);
  if (dot(n, towards) < 0.0) n = -n;
  float lit = max(dot(n, light), 0.0);
  float sky = 0.5 + 0.5 * dot(n, up);
  float gleam = pow(max(dot(n, normalize(light + towards)), 0.0), 40.0);
  vec3 colour = paint * (0.44 + 0.2 * sky + 0.5 * lit) + vec3(0.14 * gleam);
  pixel = vec4(mix(colour, paint, plain), alpha);
}`;

const lineVertex = `#version 300 es
in vec3 corner;
uniform mat4 camera, model;
out vec3 place;
void main() {
  vec4 world = model * vec4(corner, 1.0);
  place = world.xyz;
  gl_Position = camera * world;
}`;

// Lines fade with the distance from a centre, so that a grid has no edge.
const lineFragment = `#version 300 es
precision highp float;
in vec3 place;
uniform vec3 colour, centre; uniform float alpha, reach;
out vec4 pixel;
void main() {
  float fade = reach > 0.0 ? 1.0 - smoothstep(0.35, 1.0, length(place - centre) / reach) : 1.0;
  pixel = vec4(colour, alpha * fade);
}`;

class Device {
  // Null if the browser has no WebGL 2.
  static on(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, stencil: true });
    return gl && new Device(gl);
  }

  constructor(gl) {
    this.gl = gl;
    this.solid = this.program(solidVertex, solidFragment);
    this.line = this.program(lineVertex, lineFragment);
    this.used = null;
    gl.enable(gl.DEPTH_TEST);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  program(vertex, fragment) {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    ["corner", "normal", "shade"].forEach((name, k) => gl.bindAttribLocation(program, k, name));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(program));
    const places = {};
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) ?? 0;
    for (let k = 0; k < count; k++) {
      const { name, type } = gl.getActiveUniform(program, k);
      places[name] = { at: gl.getUniformLocation(program, name), type };
    }
    return { program, places };
  }

  use(program) {
    if (this.used !== program) this.gl.useProgram(program.program);
    this.used = program;
  }

  set(values) {
    const { gl } = this;
    for (const name in values) {
      const place = this.used.places[name];
      if (!place) continue;
      const value = values[name];
      if (place.type === gl.FLOAT_MAT4) gl.uniformMatrix4fv(place.at, false, value);
      else if (place.type === gl.FLOAT_VEC3) gl.uniform3fv(place.at, value);
      else gl.uniform1f(place.at, value);
    }
  }

  // Keeps a shape on the device. Without triangles its corners are taken three by three, or as lines.
  upload({ corners, normals, colours, triangles }, old) {
    const { gl } = this;
    const mesh = old ?? { array: gl.createVertexArray(), buffers: [], index: gl.createBuffer() };
    gl.bindVertexArray(mesh.array);
    [corners, normals, colours].forEach((numbers, k) => {
      if (!numbers) return gl.disableVertexAttribArray(k);
      mesh.buffers[k] ??= gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, mesh.buffers[k]);
      gl.bufferData(gl.ARRAY_BUFFER, numbers instanceof Float32Array ? numbers : new Float32Array(numbers), old ? gl.DYNAMIC_DRAW : gl.STATIC_DRAW);
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 0, 0);
    });
    mesh.indexed = Boolean(triangles);
    mesh.coloured = Boolean(colours);
    mesh.count = triangles ? triangles.length : corners.length / 3;
    if (triangles) {
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.index);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(triangles), old ? gl.DYNAMIC_DRAW : gl.STATIC_DRAW);
    }
    gl.bindVertexArray(null);
    return mesh;
  }

  drawSolid(mesh, values) {
    const { gl } = this;
    this.use(this.solid);
    this.set({ alpha: 1, plain: 0, shaded: mesh.coloured ? 1 : 0, ...values });
    gl.bindVertexArray(mesh.array);
    if (mesh.indexed) gl.drawElements(gl.TRIANGLES, mesh.count, gl.UNSIGNED_INT, 0);
    else gl.drawArrays(gl.TRIANGLES, 0, mesh.count);
  }

  drawLines(mesh, values, strip = false) {
    const { gl } = this;
    this.use(this.line);
    this.set({ alpha: 1, reach: 0, ...values });
    gl.bindVertexArray(mesh.array);
    gl.drawArrays(strip ? gl.LINE_STRIP : gl.LINES, 0, mesh.count);
  }
}
