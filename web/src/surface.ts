// Surfaces draw marks: with WebGL 2 where there is such a thing, else with the canvas's own means.

import type { Camera } from "./camera";
import { Marks, STRIDE, type Colour } from "./marks";

export interface Surface {
  draw(marks: Marks, camera: Camera, ground: Colour): void;
}

export function newSurface(canvas: HTMLCanvasElement, plain = false): Surface {
  const gl = plain ? null : canvas.getContext("webgl2", { alpha: false, antialias: false, powerPreference: "high-performance" });
  return gl ? new GLSurface(canvas, gl) : new PlainSurface(canvas);
}

const VERTEX = `#version 300 es
uniform vec2 centre, size;
uniform float scale;
layout(location=0) in vec4 place;  // x, y, half width, half height
layout(location=1) in vec4 shape;  // cosine, sine, corner, softness
layout(location=2) in float edge;
layout(location=3) in vec4 fill;
layout(location=4) in vec4 stroke;
out vec2 at;
flat out vec2 half_;
flat out vec3 form;                // corner, softness, edge
flat out vec4 inner, outer;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2. - 1.;
  half_ = place.zw * scale;
  form = vec3(shape.zw * scale, edge);
  at = corner * (half_ + form.y + edge * .5 + 1.);
  vec2 turned = vec2(at.x * shape.x - at.y * shape.y, at.x * shape.y + at.y * shape.x);
  vec2 pixel = (place.xy - centre) * scale + turned;
  gl_Position = vec4(pixel / size * vec2(2., -2.), 0., 1.);
  inner = fill;
  outer = stroke;
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec2 at;
flat in vec2 half_;
flat in vec3 form;
flat in vec4 inner, outer;
out vec4 colour;
void main() {
  vec2 q = abs(at) - half_ + form.x;
  float d = length(max(q, 0.)) + min(max(q.x, q.y), 0.) - form.x;
  float body = form.y > 0. ? smoothstep(form.y, -form.y, d) : clamp(.5 - d, 0., 1.);
  float rim = form.z > 0. ? clamp(.5 + form.z * .5 - abs(d), 0., 1.) : 0.;
  vec4 f = vec4(inner.rgb, 1.) * (inner.a * body);
  vec4 s = vec4(outer.rgb, 1.) * (outer.a * rim);
  colour = s + f * (1. - s.a);
}`;

class GLSurface implements Surface {
  private uniforms: Partial<Record<"centre" | "size" | "scale", WebGLUniformLocation | null>> = {};
  private capacity = 0;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly gl: WebGL2RenderingContext) {
    this.prepare();
    canvas.addEventListener("webglcontextlost", (e) => e.preventDefault()); // so that it is given back
    canvas.addEventListener("webglcontextrestored", () => this.prepare());
  }

  private prepare() {
    const { gl } = this;
    const program = this.link();
    const at = (name: string) => gl.getUniformLocation(program, name);
    this.uniforms = { centre: at("centre"), size: at("size"), scale: at("scale") };
    this.capacity = 0;
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    const attribute = (index: number, size: number, type: number, normal: boolean, offset: number) => {
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, size, type, normal, STRIDE * 4, offset);
      gl.vertexAttribDivisor(index, 1);
    };
    attribute(0, 4, gl.FLOAT, false, 0);
    attribute(1, 4, gl.FLOAT, false, 16);
    attribute(2, 1, gl.FLOAT, false, 32);
    attribute(3, 4, gl.UNSIGNED_BYTE, true, 36);
    attribute(4, 4, gl.UNSIGNED_BYTE, true, 40);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  private link(): WebGLProgram {
    const { gl } = this;
    const program = gl.createProgram()!;
    for (const [type, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]] as const) {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "shader");
    gl.useProgram(program);
    return program;
  }

  draw(marks: Marks, camera: Camera, ground: Colour) {
    const { gl, canvas } = this;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor((ground & 255) / 255, ((ground >> 8) & 255) / 255, ((ground >> 16) & 255) / 255, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const used = marks.floats.subarray(0, marks.count * STRIDE);
    if (marks.floats.length > this.capacity) {
      this.capacity = marks.floats.length;
      gl.bufferData(gl.ARRAY_BUFFER, this.capacity * 4, gl.DYNAMIC_DRAW);
    }
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, used);
    const ratio = camera.ratio;
    gl.uniform2f(this.uniforms.centre!, camera.x, camera.y);
    gl.uniform2f(this.uniforms.size!, canvas.width, canvas.height);
    gl.uniform1f(this.uniforms.scale!, camera.scale * ratio);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, marks.count);
  }
}

class PlainSurface implements Surface {
  private readonly context: CanvasRenderingContext2D;
  private readonly css = new Map<Colour, string>();

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d", { alpha: false })!;
  }

  draw(marks: Marks, camera: Camera, ground: Colour) {
    const { context: c, canvas } = this;
    const scale = camera.scale * camera.ratio;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.fillStyle = this.style(ground);
    c.fillRect(0, 0, canvas.width, canvas.height);
    const left = canvas.width / 2 - camera.x * scale, top = canvas.height / 2 - camera.y * scale;
    for (let i = 0; i < marks.count; i++) {
      const [x, y, halfWidth, halfHeight, cos, sin, corner, soft, width] = marks.floats.subarray(i * STRIDE, i * STRIDE + 9);
      const reach = (Math.max(halfWidth, halfHeight) * 1.5 + soft) * scale;
      const px = left + x * scale, py = top + y * scale;
      if (px < -reach || py < -reach || px > canvas.width + reach || py > canvas.height + reach) continue;
      c.setTransform(cos, sin, -sin, cos, px, py);
      const w = halfWidth * scale, h = halfHeight * scale;
      if (soft > 0) {
        this.glow(w + soft * scale, marks.colour(i));
        continue;
      }
      c.beginPath();
      c.roundRect(-w, -h, 2 * w, 2 * h, corner * scale);
      c.fillStyle = this.style(marks.colour(i));
      c.fill();
      if (width > 0) {
        c.lineWidth = width;
        c.strokeStyle = this.style(marks.edgeColour(i));
        c.stroke();
      }
    }
  }

  // glow draws a disc that fades out.
  private glow(radius: number, colour: Colour) {
    const gradient = this.context.createRadialGradient(0, 0, 0, 0, 0, radius);
    gradient.addColorStop(0, this.style(colour));
    gradient.addColorStop(1, this.style((colour & 0xffffff) >>> 0));
    this.context.fillStyle = gradient;
    this.context.fillRect(-radius, -radius, 2 * radius, 2 * radius);
  }

  private style(c: Colour): string {
    let s = this.css.get(c);
    if (!s) {
      s = `rgb(${c & 255} ${(c >> 8) & 255} ${(c >> 16) & 255} / ${(c >>> 24) / 255})`;
      this.css.set(c, s);
    }
    return s;
  }
}
