"use strict";
// Steps through a game. All that is shown was drawn beforehand; the page holds, for each frame, which
// lines of the drawing and the text take the place of which of the frame before (of a seat's view: of
// the open view).
const game = JSON.parse(document.getElementById("game").textContent);
const find = id => document.getElementById(id);

function cut(before, cuts) {
  const lines = before.slice();
  for (const [start, end, ...put] of cuts.slice().reverse()) lines.splice(start, end - start, ...put);
  return lines;
}

function unfold() {
  let open = [[], []];
  return game.frames.map(([ply, round, seat, scores, views]) => {
    const changed = ([picture, text]) => [cut(open[0], picture), cut(open[1], text)];
    open = changed(views[0]);
    return { ply, round, seat, scores, views: [open, ...views.slice(1).map(changed)] };
  });
}

const frames = unfold();
const last = frames.length - 1;
let at = 0;
let view = 0;
let clock = null;

const words = numbers => numbers.map(number => game.lines[number]).join("\n");
const firstPly = k => (k ? frames[k - 1].ply : 0); // of what happened before frame k
const frameOf = ply => Math.max(0, frames.findIndex(frame => frame.ply > ply));

function show(k) {
  at = Math.min(Math.max(k, 0), last);
  const frame = frames[at];
  const [picture, text] = frame.views[view].map(words);
  if (game.is_drawn) find("board").innerHTML = picture;
  else find("board").replaceChildren(Object.assign(document.createElement("pre"), { textContent: text }));
  find("text").textContent = text;
  find("slider").value = at;
  tell(frame);
  for (const line of document.querySelectorAll(".now")) {
    line.setAttribute("x1", at);
    line.setAttribute("x2", at);
  }
  const address = [at ? `ply=${firstPly(at)}` : "", view ? `seat=${view - 1}` : ""].filter(Boolean);
  history.replaceState(null, "", address.length ? `#${address.join("&")}` : location.pathname);
}

function tell(frame) {
  const first = firstPly(at);
  const turn = frame.ply ? game.events[frame.ply - 1][1] : 0;
  const past = at ? `Ply ${first} of ${frames[last].ply - 1}, ` : "";
  find("where").textContent = past + (turn ? `turn ${turn}, round ${frames[at - 1].round}` : "set-up");
  const legal = (game.events[frame.ply] || [])[3];
  find("asked").textContent = frame.seat === null ? "The game is over."
    : `Next: ${game.seats[frame.seat]}${legal ? `, ${legal} legal action${legal > 1 ? "s" : ""}` : ""}`;
  find("explain").textContent = at ? game.explain.join(first) : "";
  [...find("seats").rows].forEach((row, seat) => {
    row.className = seat === frame.seat ? "acts" : "";
    row.cells[1].textContent = frame.scores[seat];
    row.cells[2].textContent = at === last && game.ranks ? game.ranks[seat] : "";
  });
  const items = game.events.slice(0, frame.ply).map(([text, when, clause], ply) => {
    if (when !== turn) return null;
    const item = document.createElement("li");
    const note = document.createElement("small");
    item.className = ply < first ? "" : "new";
    note.textContent = ` ply ${ply}${clause && `, ${clause}`}`;
    item.append(text, note);
    return item;
  });
  const list = find("events");
  list.replaceChildren(...items.filter(Boolean));
  list.scrollTop = list.scrollHeight;
}

// The next place in a direction at which what one steps by ends.
function step(direction, unit = find("unit").value) {
  const places = game.units[unit];
  const ahead = direction > 0 ? places.find(k => k > at) : places.findLast(k => k < at);
  if (ahead !== undefined) show(ahead);
  else if (direction < 0) show(0);
  else if (clock) play();
}

function play() {
  clearInterval(clock);
  clock = clock ? null : setInterval(step, 900, 1);
  find("play").textContent = clock ? "❚❚" : "▶▶";
}

function read() {
  const asked = new URLSearchParams(location.hash.slice(1));
  view = Math.min(Math.max(Number(asked.get("seat") ?? -1) + 1 || 0, 0), frames[0].views.length - 1);
  if (find("view")) find("view").value = view;
  const ply = Number(asked.get("ply"));
  show(!asked.has("ply") || !(ply >= 0) ? 0 : ply >= frames[last].ply ? last : frameOf(ply));
}

async function copy() {
  const text = find("text");
  getSelection().selectAllChildren(text);
  try {
    await navigator.clipboard.writeText(text.textContent);
    find("copy").textContent = "Copied";
  } catch {
    find("copy").textContent = "Selected: copy it with the keyboard";
  }
}

const keys = {
  ArrowRight: () => step(1), ArrowLeft: () => step(-1),
  ArrowDown: () => step(1, "action"), ArrowUp: () => step(-1, "action"),
  Home: () => show(0), End: () => show(last), " ": play,
};
addEventListener("keydown", event => {
  const isControl = event.target.closest("select, button, summary");
  if (!keys[event.key] || isControl || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  keys[event.key]();
});
for (const name of Object.keys(game.units)) find("unit").add(new Option(name.replaceAll("_", " "), name));
for (const [id, act] of Object.entries({
  first: () => show(0), back: () => step(-1), play, next: () => step(1), last: () => show(last), copy,
})) find(id).addEventListener("click", act);
find("slider").addEventListener("input", event => show(Number(event.target.value)));
find("view")?.addEventListener("change", event => { view = Number(event.target.value); show(at); });
for (const chart of document.querySelectorAll(".chart svg")) {
  chart.addEventListener("click", event => {
    const box = chart.getBoundingClientRect();
    show(Math.round((last * (event.clientX - box.left)) / box.width));
  });
}
addEventListener("hashchange", read);
read();
