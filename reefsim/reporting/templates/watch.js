"use strict";
// Steps through one game, or two side by side. All that is shown was drawn beforehand; the page holds,
// for each frame, which lines of the drawing and the text take the place of which of the frame before
// (of a seat's view: of the open view). A step is a frame of every game.
const { sides, steps, units, lines, parted } = JSON.parse(document.getElementById("game").textContent);
const find = (id, side) => document.getElementById(side === undefined ? id : `${id}-${side}`);
const element = (name, properties, ...inside) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...inside);
  return made;
};

function cut(before, cuts) {
  const after = before.slice();
  for (const [start, end, ...put] of cuts.slice().reverse()) after.splice(start, end - start, ...put);
  return after;
}

function unfold(side) {
  let open = [[], []];
  side.frames = side.frames.map(([ply, turn, round, seat, scores, views]) => {
    const changed = ([picture, text]) => [cut(open[0], picture), cut(open[1], text)];
    open = changed(views[0]);
    return { ply, turn, round, seat, scores, views: [open, ...views.slice(1).map(changed)] };
  });
}

sides.forEach(unfold);
const end = steps.length - 1;
let at = 0;
let view = 0;
let clock = null;

const words = numbers => numbers.map(number => lines[number]).join("\n");
const firstPly = (side, k) => (k ? side.frames[k - 1].ply : 0); // of what happened before frame k
const frameAt = (side, number) => side.frames[steps[at][number]];
const shown = (side, number) => {
  const { views } = frameAt(side, number);
  return views[Math.min(view, views.length - 1)];
};

function show(step) {
  at = Math.min(Math.max(step, 0), end);
  sides.forEach(draw);
  if (sides.length > 1 && find("mark").checked) markDifferences();
  document.body.classList.toggle("parted", parted !== null && at >= parted);
  find("slider").value = at;
  for (const line of document.querySelectorAll(".now")) {
    line.setAttribute("x1", at);
    line.setAttribute("x2", at);
  }
  history.replaceState(null, "", address() || location.pathname);
}

// What names the position: the ply of the first game, or the step once that is over before the other.
function address() {
  const first = steps[at][0];
  const waits = at && steps[at - 1][0] === first;
  const place = waits ? `step=${at}` : at ? `ply=${firstPly(sides[0], first)}` : "";
  const parts = [place, view ? `seat=${view - 1}` : ""].filter(Boolean);
  return parts.length ? `#${parts.join("&")}` : "";
}

function draw(side, number) {
  const [picture, text] = shown(side, number).map(words);
  const board = find("board", number);
  if (side.is_drawn) board.innerHTML = picture;
  else board.replaceChildren(element("pre", { textContent: text }));
  find("text", number).textContent = text;
  tell(side, number);
}

function tell(side, number) {
  const k = steps[at][number];
  const frame = side.frames[k];
  const first = firstPly(side, k);
  const past = k ? `Ply ${first} of ${side.frames.at(-1).ply - 1}, ` : "";
  find("where", number).textContent = past + (frame.turn ? `turn ${frame.turn}, round ${frame.round}` : "set-up");
  const legal = (side.events[frame.ply] || [])[3];
  find("asked", number).textContent = frame.seat === null ? "The game is over."
    : `Next: ${side.seats[frame.seat]}${legal ? `, ${legal} legal action${legal > 1 ? "s" : ""}` : ""}`;
  find("explain", number).textContent = k ? side.explain.join(first) : "";
  [...find("seats", number).rows].forEach((row, seat) => {
    const chance = (side.chance[k] || [])[seat];
    const rank = k === side.frames.length - 1 && side.ranks ? side.ranks[seat] : "";
    const told = [frame.scores[seat], ...(chance === undefined ? [] : [`${Math.round(100 * chance)} %`]), rank];
    row.className = seat === frame.seat ? "acts" : "";
    told.forEach((text, i) => { row.cells[i + 1].textContent = text; });
  });
  const items = side.events.slice(0, frame.ply).map(([text, turn, clauses], ply) => {
    if (turn !== frame.turn) return null;
    const note = element("small", {}, ` ply ${ply}${clauses && `, ${clauses}`}`);
    return element("li", { className: ply < first ? "" : "new" }, text, note);
  });
  const list = find("events", number);
  list.replaceChildren(...items.filter(Boolean));
  list.scrollTop = list.scrollHeight;
  offer(side, number, frame);
}

// What could be done: the actions that were judged, with their values, the one taken marked.
function offer(side, number, frame) {
  const [played, ...judged] = side.options[frame.ply] || [-1];
  const listed = judged.length / 2;
  const table = find("options", number);
  const fork = action => {
    find("fork", number).textContent = side.fork.join(`${frame.ply} "${action}"`);
  };
  find("otherwise", number).hidden = frame.seat === null || !side.fork.length;
  const taken = Math.min(played, listed - 1); // what was taken comes last if it is none of the best
  const best = listed > 1 ? lines[judged[taken === 0 ? 2 : 0]] : "ACTION";
  fork(best);
  if (!table) return;
  table.replaceChildren(...Array.from({ length: listed }, (_, i) => {
    const action = lines[judged[2 * i]];
    const less = judged[1] - judged[2 * i + 1];
    const row = element("tr", { className: i === taken ? "taken" : "" },
      element("td", {}, element("button", { onclick: () => fork(action) }, action)),
      element("td", { className: "n" }, judged[2 * i + 1].toFixed(2)),
      element("td", { className: "n" }, less ? less.toFixed(2) : ""));
    return row;
  }));
  const legal = (side.events[frame.ply] || [])[3] || 0;
  const rest = listed && legal > listed ? `and ${legal - listed} more. ` : "";
  find("more", number).textContent = !listed ? "Nothing: the game is over."
    : `${rest}Taken: ${lines[judged[2 * taken]]}, number ${played + 1} of ${legal}.`;
}

// Draws a frame around a shape, above everything else.
function frame(shape) {
  const box = shape.getBBox();
  const mark = document.createElementNS(shape.namespaceURI, "rect");
  for (const side of ["x", "y", "width", "height"]) mark.setAttribute(side, box[side]);
  mark.setAttribute("transform", shape.getAttribute("transform") ?? "");
  mark.classList.add("differs");
  shape.ownerSVGElement.append(mark);
}

// Marks shapes of the drawings and lines of the texts that the other game does not have there.
function markDifferences() {
  const parts = number => [...(find("board", number).querySelector("svg")?.children ?? [])];
  const both = [parts(0), parts(1)];
  both.forEach((children, number) => {
    const others = new Set(both[1 - number].map(child => child.outerHTML));
    for (const child of children) {
      if (child.tagName !== "title" && !others.has(child.outerHTML)) frame(child);
    }
  });
  const texts = [0, 1].map(number => find("text", number).textContent.split("\n"));
  texts.forEach((own, number) => {
    const nodes = own.flatMap((line, i) =>
      [line === texts[1 - number][i] || !line ? line : element("mark", {}, line), "\n"]);
    find("text", number).replaceChildren(...nodes.slice(0, -1));
  });
}

// Steps at which something happened that is told in some words.
function stepsWith(wanted) {
  return steps.flatMap((step, number) => step.some((k, game) => {
    const side = sides[game];
    const isNew = !number || steps[number - 1][game] !== k;
    return isNew && side.events.slice(firstPly(side, k), side.frames[k].ply)
      .some(([text]) => text.toLowerCase().includes(wanted));
  }) ? [number] : []);
}

// The next place in a direction at which what one steps by ends.
function step(direction, places = units[find("unit").value]) {
  const ahead = direction > 0 ? places.find(k => k > at) : places.findLast(k => k < at);
  if (ahead !== undefined) show(ahead);
  else if (direction < 0) show(0);
  else if (clock) play();
}

function play() {
  clearInterval(clock);
  clock = clock ? null : setInterval(() => step(1), 900);
  find("play").textContent = clock ? "❚❚" : "▶▶";
}

function read() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const most = Math.max(...sides.map(side => side.frames[0].views.length)) - 1;
  view = Math.min(Math.max(Number(asked.get("seat") ?? -1) + 1 || 0, 0), most);
  if (find("view")) find("view").value = view;
  const ply = Number(asked.get("ply"));
  if (asked.has("step")) show(Number(asked.get("step")) || 0);
  else if (!asked.has("ply") || !(ply >= 0)) show(0);
  else {
    const found = steps.findIndex(([first]) => sides[0].frames[first].ply > ply);
    show(found < 0 ? end : found);
  }
}

async function copy(button, text) {
  const label = button.dataset.label ??= button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    prompt("Copy this:", text);
  }
  setTimeout(() => { button.textContent = label; }, 1500);
}

// A test that the rules still lead to this position.
function asTest(side, number) {
  const frame = frameAt(side, number);
  const text = words(frame.views[0][1]).replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"');
  const position = frame.seat === null ? "game.show()" : `game.at(${frame.ply})`;
  return `import reefsim as rs\n\nPOSITION = """\\\n${text}\n"""\n\n\n`
    + `def test_position_before_ply_${frame.ply}():\n    game = ${side.open}\n`
    + `    assert str(${position}) == POSITION.rstrip("\\n")\n`;
}

function save(side, number) {
  const ply = firstPly(side, steps[at][number]);
  const drawing = new Blob([`${words(shown(side, number)[0])}\n`], { type: "image/svg+xml" });
  const url = URL.createObjectURL(drawing);
  const game = side.game === null ? "" : `-${side.game}`;
  element("a", { href: url, download: `${side.run.replace(/\.jsonl$/, "")}${game}-ply${ply}.svg` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// The address with what it is the address of, so that it says so wherever it is put.
function link() {
  const game = side => `${side.run}${side.game === null ? "" : `/${side.game}`}`;
  const whole = address() || "#ply=-1";
  return `${location.href.split("#")[0]}${whole}&game=${sides.map(game).map(encodeURI).join(",")}`;
}

const keys = {
  ArrowRight: () => step(1), ArrowLeft: () => step(-1),
  ArrowDown: () => step(1, units.action), ArrowUp: () => step(-1, units.action),
  Home: () => show(0), End: () => show(end), " ": play,
};
addEventListener("keydown", event => {
  const isControl = event.target.closest("select, button, summary, input:not([type=range])");
  if (!keys[event.key] || isControl || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  keys[event.key]();
});
for (const name of Object.keys(units)) find("unit").add(new Option(name.replaceAll("_", " "), name));
for (const [id, act] of Object.entries({
  first: () => show(0), back: () => step(-1), play, next: () => step(1), last: () => show(end),
})) find(id).addEventListener("click", act);
find("link").addEventListener("click", event => copy(event.target, link()));
sides.forEach((side, number) => {
  const text = () => words(shown(side, number)[1]);
  find("copy", number).addEventListener("click", event => copy(event.target, text()));
  find("test", number).addEventListener("click", event => copy(event.target, asTest(side, number)));
  find("save", number).addEventListener("click", () => save(side, number));
  find("save", number).hidden = !side.is_drawn;
});
find("slider").addEventListener("input", event => show(Number(event.target.value)));
find("view")?.addEventListener("change", event => { view = Number(event.target.value); show(at); });
find("word").addEventListener("keydown", event => {
  const wanted = event.target.value.trim().toLowerCase();
  if (event.key === "Enter" && wanted) step(event.shiftKey ? -1 : 1, stepsWith(wanted));
});
find("mark")?.addEventListener("change", () => show(at));
for (const button of document.querySelectorAll(".goto")) {
  button.addEventListener("click", () => show(Number(button.dataset.step)));
}
for (const chart of document.querySelectorAll(".chart > svg")) {
  chart.addEventListener("click", event => {
    const box = chart.getBoundingClientRect();
    show(Math.round((end * (event.clientX - box.left)) / box.width));
  });
}
addEventListener("hashchange", read);
read();
