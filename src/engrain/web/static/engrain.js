// What a page does beside being read: choose a theme, draw curves that can be pointed at, take in what happens live.
"use strict";

const root = document.documentElement;

function theme() {
  const button = document.querySelector("[data-theme-button]");
  if (!button) return;
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const say = () => { button.textContent = dark() ? "Light" : "Dark"; };
  button.hidden = false;
  say();
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* for this page alone, then */ }
    say();
    curves();
  });
}

const day = (seconds) => new Date(seconds * 1000).toLocaleDateString("en-GB", { day: "numeric", month: "short" });

// The drawing of the server stays where uPlot is not there.
function curves() {
  if (!window.uPlot) return;
  const style = getComputedStyle(root);
  const colour = (name) => { const probe = document.createElement("i"); probe.className = "unseen"; document.body.append(probe); probe.style.color = style.getPropertyValue(name); const found = getComputedStyle(probe).color; probe.remove(); return found; };
  for (const figure of document.querySelectorAll("[data-curve]")) {
    const { labels, series, times } = JSON.parse(figure.dataset.curve);
    const hold = figure.querySelector("[data-hold]");
    const axis = { stroke: colour("--faint"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "11px Inter, sans-serif" };
    const strokes = (labels[0] === "worked" ? ["--good", "--bad"] : ["--part", "--ink", "--good", "--bad"]).map(colour);
    const drawn = new window.uPlot({
      width: Math.max(260, hold.clientWidth), height: 200, cursor: { y: false }, scales: { x: { time: Boolean(times) } },
      axes: [
        { ...axis, grid: { show: false }, space: 80, ...(times ? { values: (_, ticks) => ticks.map(day) } : {}) },
        { ...axis, size: 36 },
      ],
      series: [times ? { label: "Week of", value: (_, at) => (at === null ? "–" : day(at)) } : {}, ...labels.map((label, n) => ({ label, stroke: strokes[n % strokes.length], width: 1.75, spanGaps: true, points: { show: series[0].length < 24 } }))],
    }, series, undefined);
    hold.replaceChildren(drawn.root);
    const legend = drawn.root.querySelector(".u-legend");
    if (legend) legend.setAttribute("aria-hidden", "true");
  }
}

function live() {
  const list = document.querySelector("[data-live]");
  if (!list || !window.EventSource) return;
  const light = document.querySelector("[data-light]");
  const word = document.querySelector("[data-light-word]");
  const on = (is) => { light.classList.toggle("on", is); word.textContent = is ? "listening" : "reconnecting"; };
  const source = new EventSource(list.dataset.live);
  source.addEventListener("open", () => on(true));
  source.addEventListener("error", () => on(false));
  source.addEventListener("happened", (event) => {
    const piece = document.createElement("template");
    piece.innerHTML = event.data;
    list.prepend(piece.content);
    document.querySelector("[data-empty]")?.remove();
    while (list.children.length > 300) list.lastElementChild.remove();
  });
  addEventListener("pagehide", () => source.close());
}

// A part of the timeline is chosen by dragging over it; the links beside it do the same.
function zoom() {
  const figure = document.querySelector("[data-zoom]");
  const svg = figure?.querySelector("svg");
  if (!svg) return;
  const [start, end] = figure.dataset.zoom.split(" ").map(Number);
  const left = 84 / 960;
  const at = (event) => { const box = svg.getBoundingClientRect(); return Math.min(1, Math.max(0, ((event.clientX - box.left) / box.width - left) / (1 - left))); };
  let from = null;
  svg.addEventListener("pointerdown", (event) => { from = at(event); });
  svg.addEventListener("pointerup", (event) => {
    const to = at(event);
    if (from !== null && Math.abs(to - from) > 0.02) {
      const where = new URL(location.href);
      where.searchParams.set("from", Math.round(start + Math.min(from, to) * (end - start)));
      where.searchParams.set("to", Math.round(start + Math.max(from, to) * (end - start)));
      where.searchParams.delete("page");
      location.assign(where);
    }
    from = null;
  });
}

theme();
curves();
live();
zoom();
