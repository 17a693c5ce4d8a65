"use strict";
// Replaces the still pictures by ones that show values and zoom. Without this script the page has the still ones.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const make = (name, attributes, parent, text) => {
    const e = document.createElementNS(SVG, name);
    for (const key in attributes) e.setAttribute(key, attributes[key]);
    if (text !== undefined) e.textContent = text;
    return parent ? parent.appendChild(e) : e;
  };
  // JSON has no infinity.
  const number = v => (v === "inf" ? Infinity : v);
  const digits = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
  const power = e => "10" + String(e).replace("-", "\u207b").replace(/\d/g, d => digits[d]);
  const short = x => (x === 0 ? "0" : Math.abs(x) >= 1e-3 && Math.abs(x) < 1e6 ? String(+x.toPrecision(6)) : x.toExponential(3));
  const grouped = n => n.toLocaleString("en-US");
  const ticks = (low, high, wanted) => {
    const raw = (high - low) / wanted, unit = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].find(f => f * unit >= raw * 0.999) * unit;
    const out = [];
    for (let i = Math.ceil(low / step); i * step <= high * (1 + 1e-12); i++) out.push(+(i * step).toPrecision(12));
    return out;
  };

  // A chart with a horizontal axis that zooms. `model` has `extent`, `least` (the narrowest part that is shown), `paint(frame)`,
  // which returns the vertical scale, `read(x)`, the text for a place, and `move(x, by)`, the next place for the arrow keys.
  function chart(figure, model) {
    const box = figure.querySelector(".chart"), readout = figure.querySelector(".readout");
    const hint = readout.textContent;
    const [first, last] = model.extent;
    let lo = first, hi = last, at = null, from = null, svg, frame, marker, band;
    const tools = document.createElement("div");
    tools.className = "tools";
    const buttons = [
      ["+", "zoom in", () => scale(0.5)], ["\u2212", "zoom out", () => scale(2)],
      ["\u25c0", "move left", () => shift(-0.5)], ["\u25b6", "move right", () => shift(0.5)],
      ["whole range", "show the whole range", () => view(first, last)], ...(model.tools || []),
    ].map(([text, label, act]) => {
      const b = document.createElement("button");
      b.type = "button"; b.textContent = text; b.title = label; b.setAttribute("aria-label", label);
      b.addEventListener("click", () => { act(); draw(); });
      return tools.appendChild(b);
    });
    readout.before(tools);

    function view(a, b) {
      const width = Math.min(Math.max(b - a, model.least), last - first);
      lo = Math.min(Math.max(a, first), last - width);
      hi = lo + width;
    }
    function scale(by) {
      const middle = at !== null && at >= lo && at <= hi ? at : (lo + hi) / 2, share = (middle - lo) / (hi - lo);
      const width = (hi - lo) * by;
      view(middle - share * width, middle - share * width + width);
    }
    function shift(by) { view(lo + by * (hi - lo), hi + by * (hi - lo)); }

    function draw(print) {
      const width = print || Math.max(box.clientWidth, 280), height = Math.round(Math.min(420, Math.max(230, width * 0.5)));
      svg = make("svg", { viewBox: `0 0 ${width} ${height}`, tabindex: 0, role: "img", "aria-label": box.dataset.label });
      frame = { svg, left: 56, right: width - 14, top: 32, bottom: height - 44, lo, hi, narrow: width < 560 };
      frame.x = v => frame.left + ((v - lo) / (hi - lo)) * (frame.right - frame.left);
      const clip = make("clipPath", { id: box.id + "-clip" }, make("defs", {}, svg));
      make("rect", { x: frame.left, y: frame.top, width: frame.right - frame.left, height: frame.bottom - frame.top }, clip);
      frame.inside = make("g", { "clip-path": `url(#${box.id}-clip)` });
      const y = model.paint(frame);
      for (const [v, text] of y.ticks) {
        make("line", { class: "grid", x1: frame.left, x2: frame.right, y1: y.at(v), y2: y.at(v) }, svg);
        make("text", { x: frame.left - 6, y: y.at(v) + 4, "text-anchor": "end" }, svg, text);
      }
      svg.append(frame.inside, ...(frame.over || []));
      make("line", { class: "axis", x1: frame.left, x2: frame.right, y1: frame.bottom, y2: frame.bottom }, svg);
      make("text", { class: "soft", x: 4, y: 14 }, svg, y.name);
      make("text", { class: "soft", x: (frame.left + frame.right) / 2, y: height - 6, "text-anchor": "middle" }, svg, model.name(frame));
      marker = make("line", { class: "at", y1: frame.top, y2: frame.bottom, visibility: "hidden" }, svg);
      band = make("rect", { class: "drag", y: frame.top, height: frame.bottom - frame.top, width: 0 }, svg);
      box.replaceChildren(svg);
      box.classList.add("drawn");
      const whole = hi - lo >= last - first;
      buttons[0].disabled = hi - lo <= model.least;
      buttons[1].disabled = buttons[4].disabled = whole;
      buttons[2].disabled = lo <= first; buttons[3].disabled = hi >= last;
      listen();
      if (at !== null) show(at);
    }
    function show(x) {
      at = Math.min(Math.max(x, first), last);
      readout.textContent = model.read(at);
      const inside = at >= lo && at <= hi;
      marker.setAttribute("x1", frame.x(at)); marker.setAttribute("x2", frame.x(at));
      marker.setAttribute("visibility", inside ? "visible" : "hidden");
    }
    function listen() {
      const place = e => {
        const r = svg.getBoundingClientRect(), px = ((e.clientX - r.left) / r.width) * svg.viewBox.baseVal.width;
        return Math.min(hi, Math.max(lo, lo + ((px - frame.left) / (frame.right - frame.left)) * (hi - lo)));
      };
      svg.addEventListener("pointerdown", e => { from = place(e); svg.setPointerCapture(e.pointerId); show(from); });
      svg.addEventListener("pointermove", e => {
        const here = place(e);
        show(here);
        if (from === null) return;
        band.setAttribute("x", frame.x(Math.min(from, here)));
        band.setAttribute("width", Math.abs(frame.x(here) - frame.x(from)));
      });
      svg.addEventListener("pointerup", e => {
        const here = place(e), start = from;
        from = null;
        if (start === null || Math.abs(frame.x(here) - frame.x(start)) < 8) return;
        view(Math.min(start, here), Math.max(start, here));
        draw();
      });
      svg.addEventListener("pointercancel", () => { from = null; band.setAttribute("width", 0); });
      svg.addEventListener("pointerleave", () => {
        if (from !== null) return;
        at = null; readout.textContent = hint; marker.setAttribute("visibility", "hidden");
      });
      svg.addEventListener("dblclick", () => { view(first, last); draw(); });
      svg.addEventListener("keydown", e => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
        if (step) {
          at = model.move(at === null ? (lo + hi) / 2 : at, step);
          if (at < lo || at > hi) view(at - (hi - lo) / 2, at + (hi - lo) / 2);
        } else if (e.key === "+") scale(0.5);
        else if (e.key === "-") scale(2);
        else if (e.key === "0" || e.key === "Home") view(first, last);
        else return;
        e.preventDefault();
        draw();
        svg.focus();
      });
    }
    let seen = 0;
    new ResizeObserver(() => { if (box.clientWidth !== seen) { seen = box.clientWidth; draw(); } }).observe(box);
    addEventListener("beforeprint", () => draw(680));
    addEventListener("afterprint", () => draw());
    draw();
  }

  // Stretches of inputs: [inputs before it, inputs before its end, error above, below, first input, last, worst].
  function envelope(d) {
    const steps = d.steps.map(s => ({ from: s[0], to: s[1], above: number(s[2]), below: number(s[3]), first: s[4], last: s[5], worst: s[6] }));
    const find = x => {
      let a = 0, b = steps.length;
      while (a < b) { const m = (a + b) >> 1; if (steps[m].to <= x) a = m + 1; else b = m; }
      return a;
    };
    // The input with so many inputs of the axis before it, as text; of inputs that are no numbers, the count.
    const spans = d.spans.map(s => s.map(BigInt));
    const view = new DataView(new ArrayBuffer(8));
    const all = spans.reduce((n, [from, to]) => n + to - from + 1n, 0n);
    const input = v => {
      let n = BigInt(Math.floor(Math.max(v, 0)));
      if (n >= all) n = all - 1n;
      for (const [from, to] of spans) {
        if (n > to - from) { n -= to - from + 1n; continue; }
        const key = from + n;
        if (d.format === "f64") {
          view.setBigInt64(0, key < 0n ? key ^ 0x7fffffffffffffffn : key);
          return String(view.getFloat64(0));
        }
        if (d.format === "f32") {
          view.setInt32(0, Number(key < 0n ? key ^ 0x7fffffffn : key));
          return String(+view.getFloat32(0).toPrecision(9));
        }
        return String(key);
      }
      return "";
    };
    const size = v => Math.log10(Math.min(Math.max(v, 1e-3), 1e308));
    return {
      extent: [0, d.inputs], least: Math.min(d.inputs, 4 * steps.reduce((least, s) => Math.min(least, s.to - s.from), Math.max(1, d.inputs / 4))),
      name: frame => (frame.narrow ? "input" : "input, equally many floats to equal lengths"),
      paint(frame) {
        const { lo, hi, x, top, bottom, inside } = frame;
        const shown = steps.filter(s => s.to > lo && s.from < hi), bounds = d.bound.filter(p => p[0] >= lo && p[0] <= hi);
        let most = 0;
        for (const s of shown) most = Math.max(most, s.above, s.below);
        for (const p of bounds) most = Math.max(most, number(p[1]));
        const log = most > 256, two = d.signed && !log;
        const height = log ? size(most) * 1.05 + 0.1 : most > 0 ? most * 1.12 : 1;
        const low = log ? -3 : two ? -height : 0;
        const at = v => bottom - ((v - low) / (height - low)) * (bottom - top);
        const place = v => at(log ? size(v) : v);
        for (const [a, b] of d.gaps) make("rect", { class: "gap", x: x(a), y: top, width: Math.max(0, x(b) - x(a)), height: bottom - top }, inside);
        const area = (name, value) => {
          for (let i = 0; i < shown.length;) {
            let j = i, path = `M${x(shown[i].from)} ${at(log ? -3 : 0)}`;
            do { path += `L${x(shown[j].from)} ${value(shown[j])}L${x(shown[j].to)} ${value(shown[j])}`; j++; } while (j < shown.length && shown[j].from === shown[j - 1].to);
            make("path", { class: name + " area", d: `${path}L${x(shown[j - 1].to)} ${at(log ? -3 : 0)}Z` }, inside);
            i = j;
          }
        };
        if (two) { area("above", s => at(s.above)); area("below", s => at(-s.below)); }
        else area("above", s => place(Math.max(s.above, s.below)));
        for (const side of two ? [1, -1] : [1]) {
          if (d.bound.length) make("polyline", { class: "bound", points: d.bound.map(p => `${x(p[0])},${at((log ? size(number(p[1])) : number(p[1])) * side)}`).join(" ") }, inside);
        }
        const w = d.worst;
        if (w && w.at >= lo && w.at <= hi) {
          const error = number(w.error), y = two ? at(error) : place(Math.abs(error)), right = x(w.at) > (frame.left + frame.right) / 2;
          frame.over = [
            make("circle", { class: "worst", cx: x(w.at), cy: y, r: 5 }),
            make("text", { x: x(w.at) + (right ? -9 : 9), y: error < 0 && two ? Math.min(y + 16, bottom - 4) : Math.max(y - 6, top + 10), "text-anchor": right ? "end" : "start" }, null, frame.narrow ? w.short : w.label),
          ];
        }
        // Labels at equal distances, with as many digits as tell them apart.
        const wanted = frame.narrow ? 2 : 5, labels = [];
        for (let i = 0; i <= wanted; i++) {
          const v = lo + ((hi - lo) * i) / wanted;
          labels.push({ text: input(v), px: x(v), anchor: i === 0 ? "start" : i === wanted ? "end" : "middle" });
        }
        const cut = p => labels.map(l => (Number.isFinite(+l.text) ? String(+(+l.text).toPrecision(p)) : l.text));
        const distinct = texts => new Set(texts).size;
        let precision = 3;
        while (precision < 17 && distinct(cut(precision)) < distinct(cut(17))) precision++;
        cut(precision).forEach((text, i) => {
          make("line", { class: "axis", x1: labels[i].px, x2: labels[i].px, y1: bottom, y2: bottom + 4 }, frame.svg);
          make("text", { x: labels[i].px, y: bottom + 18, "text-anchor": labels[i].anchor }, frame.svg, text);
        });
        const marks = log
          ? Array.from({ length: Math.floor(height) + 4 }, (_, i) => i - 3).filter((e, _, all) => e % Math.ceil(all.length / 8) === 0).map(e => [e, power(e)])
          : ticks(low, height, frame.narrow ? 5 : 8).map(v => [v, short(v)]);
        return { at, ticks: marks, name: (log ? "size of the " : "") + d.name };
      },
      read(x) {
        const s = steps[find(x)];
        if (!s || s.from > x) return `near ${input(x)}: not searched`;
        const text = d.signed
          ? `largest above ${short(s.above)}, below ${short(s.below)} ${d.unit}`
          : `worst ${short(s.above)} ${d.unit}`;
        return `${s.first} to ${s.last}, ${grouped(s.to - s.from)} inputs\n${text}` + (s.worst ? `\nworst at ${s.worst}` : "");
      },
      move(x, by) {
        const s = steps[Math.min(Math.max(find(x) + by, 0), steps.length - 1)];
        return s ? (s.from + s.to) / 2 : x;
      },
    };
  }

  // Bins: [lower edge, upper edge, count]. A bin is drawn as wide as it is; those of octaves stand apart, equally wide.
  function histogram(d) {
    let log = true;
    const all = d.bins.map(b => ({ low: b[0], high: number(b[1]), count: b[2] }));
    const total = all.reduce((n, b) => n + b.count, 0);
    const used = all.reduce((n, b, i) => (b.count ? i + 1 : n), 0);
    const equal = all.filter(b => b.high <= d.linear), octaves = all.slice(equal.length, Math.max(used, equal.length));
    const room = d.linear / 12;
    const end = octaves.length ? d.linear + room * (octaves.length + 0.5) : Math.min(d.linear, Math.max(0.625, Math.ceil(((equal[used - 1] || { high: 1 }).high + 1e-9) * 8) / 8));
    for (const b of equal) [b.x0, b.x1] = [b.low, b.high];
    octaves.forEach((b, i) => { b.x0 = d.linear + room * (i + 0.5); b.x1 = b.x0 + room; });
    const bins = [...equal, ...octaves];
    const at = x => bins.find(b => x >= b.x0 && x < b.x1);
    return {
      extent: [0, end], least: d.linear / 16,
      tools: [["counts: linear or logarithmic", "switch the axis of counts between linear and logarithmic", () => { log = !log; }]],
      name: () => "size of the error in ULP",
      paint(frame) {
        const { lo, hi, x, top, bottom, inside, svg } = frame;
        const shown = bins.filter(b => b.count && b.x1 > lo && b.x0 < hi), most = Math.max(1, ...shown.map(b => b.count));
        const low = log ? Math.log10(0.5) : 0, height = log ? Math.log10(most) + 0.15 : most * 1.06;
        const y = v => bottom - ((v - low) / (height - low)) * (bottom - top);
        for (const b of shown) {
          const px = x(b.x0), width = Math.max(0.6, x(b.x1) - px - (x(b.x1) - px > 3 ? 1 : 0)), up = y(log ? Math.log10(b.count) : b.count);
          make("rect", { class: b.low >= d.linear ? "wide" : "above", x: px, y: up, width, height: Math.max(0, bottom - up) }, inside);
        }
        if (0.5 >= lo && 0.5 <= hi) {
          make("line", { class: "at", x1: x(0.5), x2: x(0.5), y1: top, y2: bottom }, inside);
          make("text", { class: "soft", x: x(0.5) + 4, y: top - 4 }, svg, frame.narrow ? "one half" : "one half: correct rounding is left of it");
        }
        for (const v of ticks(Math.max(lo, 0), Math.min(hi, d.linear), frame.narrow ? 4 : 8)) {
          if (v < lo || v > Math.min(hi, end) || (octaves.length && v === d.linear)) continue;
          make("line", { class: "axis", x1: x(v), x2: x(v), y1: bottom, y2: bottom + 4 }, svg);
          make("text", { x: x(v), y: bottom + 17, "text-anchor": "middle" }, svg, short(v));
        }
        // Octaves have their lower edges as labels.
        octaves.forEach((b, i) => {
          if (b.x0 < lo || b.x0 > hi || (frame.narrow && i % 3)) return;
          make("line", { class: "axis", x1: x(b.x0), x2: x(b.x0), y1: bottom, y2: bottom + 4 }, svg);
          make("text", { x: x(b.x0), y: bottom + 17, "text-anchor": "middle" }, svg, String(b.low));
        });
        const marks = log
          ? Array.from({ length: Math.floor(height) + 1 }, (_, e) => e).filter((e, _, a) => e % Math.ceil(a.length / 8) === 0).map(e => [e, power(e)])
          : ticks(0, height, 5).map(v => [v, v >= 1e4 ? v.toExponential(1) : grouped(v)]);
        return { at: y, ticks: marks, name: d.name };
      },
      read(x) {
        const b = at(x);
        if (!b) return "";
        const beyond = all.reduce((n, o) => n + (o.low >= b.high ? o.count : 0), 0);
        const percent = n => `${short((100 * n) / Math.max(total, 1))} %`;
        const to = b.high === Infinity ? "or more" : `to ${b.high}`;
        return `errors of ${b.low} ${to} ULP: ${grouped(b.count)} of ${grouped(total)} (${percent(b.count)})\nlarger than these: ${grouped(beyond)} (${percent(beyond)})`;
      },
      move(x, by) {
        const i = Math.min(Math.max(bins.indexOf(at(x) || bins[0]) + by, 0), bins.length - 1);
        return (bins[i].x0 + bins[i].x1) / 2;
      },
    };
  }

  for (const [name, model] of [["envelope", envelope], ["histogram", histogram]]) {
    const figure = document.getElementById(name), data = document.getElementById(name + "-data");
    if (figure && data) chart(figure, model(JSON.parse(data.textContent)));
  }
})();
