'use strict';
// The page of a flame graph. What it draws is in #data, written by ui/export/web_page.cpp:
//
//   names, places, placeOf, colorOf   by function; a place is a file or a binary
//   shorter                           by function: forms of its name to choose from where the whole does not fit
//   nameless                          functions that nobody knows the name of
//   colors, growth, kinds             by theme: of functions, of what grew or shrank, for the legend
//   unit, units, zero, whole, root    how values are written; the total of the series; what the root is called
//   tree.name, tree.depth             by node, parents before children, siblings by weight; node 0 is the root.
//                                     A negative name stands for so many nodes that were merged
//   tree.self                         what a node weighs itself; of a comparison tree.base and tree.now instead,
//   tree.noise                        and whether the change of its total is no more than chance ('1')

const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const view = $('view'), canvas = $('canvas'), room = $('room'), tip = $('tip'), search = $('search');
const paint = canvas.getContext('2d');
const isComparison = 'base' in data.tree;
const nameless = new Set(data.nameless);

const kRow = 20, kInset = 5, kNarrowestLabel = 22, kFoot = 3;
const kFont = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

// The tree: everything by node.
const count = data.tree.name.length;
const parent = new Int32Array(count), end = new Int32Array(count), depth = data.tree.depth, name = data.tree.name;
const self = isComparison ? data.tree.now : data.tree.self, selfBase = data.tree.base;
const total = Float64Array.from(self), totalBase = isComparison ? Float64Array.from(selfBase) : null;
const extent = new Float64Array(count), height = new Int32Array(count);

function sumUp() {
  const path = [];
  for (let node = 0; node < count; ++node) {
    path[depth[node]] = node;
    parent[node] = node ? path[depth[node] - 1] : -1;
    end[node] = node + 1;
    height[node] = 1;
    extent[node] = Math.abs(self[node]) + (isComparison ? Math.abs(selfBase[node]) : 0);
  }
  for (let node = count - 1; node > 0; --node) {
    const above = parent[node];
    total[above] += total[node];
    if (isComparison) totalBase[above] += totalBase[node];
    extent[above] += extent[node];
    end[above] = Math.max(end[above], end[node]);
    height[above] = Math.max(height[above], height[node] + 1);
  }
}

// What is looked at.
let focus = 0, selected = 0, hovered = -1, growsUp = !!data.growsUp, matches = null, boxes = [];

const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;
const variable = key => getComputedStyle(document.documentElement).getPropertyValue(key).trim();

// Texts.
function valueText(value) {
  const sign = value < 0 ? '-' : '', size = Math.abs(value), units = data.units;
  if (!units.length) return sign + size + (data.unit ? ' ' + data.unit : '');
  if (!size) return data.zero;
  let at = 0;
  while (at + 1 < units.length && size >= units[at + 1][1]) ++at;
  const rounded = Math.round(size / units[at][1]) * units[at][1];
  if (at + 1 < units.length && rounded >= units[at + 1][1]) ++at;
  const scaled = size / units[at][1];
  return sign + scaled.toFixed(at === 0 ? 0 : scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0) + '\u202f' + units[at][0];
}
function shareText(part, whole) {
  if (!whole) return '–';
  const percent = 100 * part / whole, size = Math.abs(percent);
  return percent.toFixed(size < 10 ? 2 : size < 99.95 ? 1 : 0) + '\u202f%';
}
function changeText(base, now) {
  const sign = now > base ? '+' : '';
  return sign + valueText(now - base) + (base ? ' · ' + sign + shareText(now - base, Math.abs(base)) : now ? ' · new' : '');
}
const nameOf = node => node === 0 ? 'all' : name[node] < 0 ? -name[node] + ' light frames' : data.names[name[node]];

// Colours.
const isNoise = node => data.tree.noise[node] === '1' && total[node] !== totalBase[node];
function growthOf(node) {
  const most = Math.max(Math.abs(total[node]), Math.abs(totalBase[node]));
  return most && !isNoise(node) ? (total[node] - totalBase[node]) / most : 0;
}
function colorOf(node, theme) {
  if (isComparison) {
    const steps = data.growth[theme];
    return steps[Math.round((growthOf(node) + 1) / 2 * (steps.length - 1))];
  }
  return data.colors[theme][data.colorOf[name[node]]];
}

// Drawing.
const rowsShown = () => depth[focus] + height[focus];
const heightShown = () => Math.max(view.clientHeight, rowsShown() * kRow);
const topOf = row => growsUp ? heightShown() - (row + 1) * kRow : row * kRow;

// The boxes of what is in view: [node, left, width, row]. Siblings come by weight, so from the first narrow
// one on, the rest of them is one hatched box, whose node is -1 - (the first).
function layOut(width) {
  boxes = [];
  for (let node = focus; node >= 0; node = parent[node]) boxes.push([node, 0, width, depth[node]]);
  if (!extent[focus]) return;
  const scale = width / extent[focus];
  const open = [[focus, 0]];
  while (open.length) {
    const [above, start] = open.pop();
    let left = start, rest = extent[above] * scale;
    rest -= (Math.abs(self[above]) + (isComparison ? Math.abs(selfBase[above]) : 0)) * scale;
    for (let node = above + 1; node < end[above]; node = end[node]) {
      const wide = extent[node] * scale;
      if (wide < 1) {
        if (rest > 0.2) boxes.push([-1 - node, left, rest, depth[node]]);
        break;
      }
      boxes.push([node, left, wide, depth[node]]);
      open.push([node, left]);
      left += wide;
      rest -= wide;
    }
  }
}

function fitted(text, width) {
  if (paint.measureText(text).width <= width) return text;
  let low = 0, high = Math.min(text.length, 400);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (paint.measureText(text.slice(0, middle) + '…').width <= width) low = middle; else high = middle - 1;
  }
  return low ? text.slice(0, low) + '…' : '';
}

function labelOf(node, width) {
  if (node === 0) return fitted(data.root, width);
  const mark = !isComparison || name[node] < 0 ? '' : growthOf(node) > 0 ? '+ ' : growthOf(node) < 0 ? '− ' : '';
  const forms = [nameOf(node), ...(data.shorter[name[node]] || [])].map(form => mark + form);
  return forms.find(form => paint.measureText(form).width <= width) || fitted(forms[forms.length - 1], width);
}

function hatch(left, top, width, color) {
  paint.save();
  paint.beginPath();
  paint.rect(left, top, width, kRow - 1);
  paint.clip();
  paint.strokeStyle = color;
  paint.beginPath();
  for (let x = left - left % 6 - kRow; x < left + width; x += 6) {
    paint.moveTo(x, top + kRow);
    paint.lineTo(x + kRow, top);
  }
  paint.stroke();
  paint.restore();
}

function drawBox(box, colors) {
  const [node, left, width, row] = box;
  const top = topOf(row) - view.scrollTop, room = width > 2 ? width - 1 : width;
  if (top + kRow < 0 || top > view.clientHeight) return;
  const isMerged = node < 0 || name[node] < 0;
  const isAncestor = node >= 0 && row < depth[focus];
  const isDimmed = isAncestor || matches && !isMerged && node > 0 && !matches[name[node]];
  if (isMerged || node === 0) paint.fillStyle = colors.soft;
  else paint.fillStyle = colorOf(node, colors.theme);
  paint.globalAlpha = isDimmed ? 0.3 : 1;
  paint.fillRect(left, top, room, kRow - 1);
  paint.globalAlpha = 1;
  if (isMerged) hatch(left, top, room, colors.line);
  else if (node > 0 && nameless.has(name[node])) hatch(left, top, room, colors.text + '24');
  if (node < 0) return;
  if (!isMerged && node > 0 && !isAncestor) {
    const own = isComparison ? Math.abs(self[node]) + Math.abs(selfBase[node]) : Math.abs(self[node]);
    if (own && room >= 3) {
      const part = Math.max(1, room * own / extent[node]);
      paint.fillStyle = '#00000047';
      paint.fillRect(left + room - part, top + (growsUp ? 0 : kRow - 1 - kFoot), part, kFoot);
    }
  }
  if (node === hovered) {
    paint.fillStyle = colors.text;
    paint.globalAlpha = 0.12;
    paint.fillRect(left, top, room, kRow - 1);
    paint.globalAlpha = 1;
  }
  if (room >= kNarrowestLabel) {
    paint.font = (matches && node > 0 && matches[name[node]] ? '600 ' : '') + kFont;
    paint.fillStyle = node === 0 ? colors.text : isDimmed || isMerged ? colors.muted : colors.ink;
    paint.fillText(labelOf(node, room - 2 * kInset), left + kInset, top + 13.5);
  }
  if (node === selected && node > 0) {
    paint.strokeStyle = colors.text;
    paint.lineWidth = 2;
    paint.strokeRect(left + 1, top + 1, Math.max(1, room - 2), kRow - 3);
    paint.lineWidth = 1;
  }
}

function draw() {
  const width = view.clientWidth - 20, tall = view.clientHeight, pixels = devicePixelRatio || 1;
  canvas.width = Math.round(width * pixels);
  canvas.height = Math.round(tall * pixels);
  canvas.style.width = width + 'px';
  canvas.style.height = tall + 'px';
  room.style.height = heightShown() + 'px';
  paint.setTransform(pixels, 0, 0, pixels, 0, 0);
  const colors = { theme: isDark() ? 'dark' : 'light' };
  for (const key of ['soft', 'text', 'muted', 'ink', 'line']) colors[key] = variable('--' + key);
  layOut(width);
  for (const box of boxes) drawBox(box, colors);
  $('all').disabled = focus === 0;
}

let isDue = false;
function redraw() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => { isDue = false; draw(); });
}

function showLegend() {
  const theme = isDark() ? 'dark' : 'light';
  const growth = steps => [['grew', steps[steps.length - 1]], ['shrank', steps[0]], ['as before, or noise', steps[steps.length >> 1]]];
  const entries = isComparison ? growth(data.growth[theme]) : data.kinds.map(kind => [kind.name, kind[theme]]);
  $('legend').replaceChildren(...entries.map(([text, color]) => {
    const entry = document.createElement('span'), mark = document.createElement('i');
    mark.style.background = color;
    entry.append(mark, text);
    return entry;
  }));
}

// Figures of a node, as rows of two texts.
function figuresOf(node) {
  if (isComparison)
    return [['base', valueText(totalBase[node])], ['new', valueText(total[node])],
      ['change', changeText(totalBase[node], total[node]) + (isNoise(node) ? ' · noise' : '')],
      ['self in base', valueText(selfBase[node])], ['self in new', valueText(self[node])]];
  return [['total', valueText(total[node]) + ' · ' + shareText(total[node], data.whole)],
    ['self', valueText(self[node]) + ' · ' + shareText(self[node], data.whole)]];
}

function placeOf(node) {
  return node > 0 && name[node] >= 0 ? data.places[data.placeOf[name[node]]] : '';
}

function describe(node) {
  return nameOf(node) + ' · ' + figuresOf(node).map(row => row.join(' ')).join(', ');
}

function showTip(event, node) {
  tip.hidden = node === null;
  if (node === null) return;
  const title = document.createElement('b'), place = document.createElement('em'), table = document.createElement('table');
  title.textContent = node < 0 ? 'too narrow to be drawn: fit what is above' : nameOf(node);
  place.textContent = node < 0 ? '' : placeOf(node);
  for (const texts of node < 0 ? [] : figuresOf(node)) {
    const row = table.insertRow();
    for (const text of texts) row.insertCell().textContent = text;
  }
  tip.replaceChildren(title, place, table);
  const x = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  const below = event.clientY + 18, isBelow = below + tip.offsetHeight < innerHeight;
  tip.style.left = Math.max(4, x) + 'px';
  tip.style.top = (isBelow ? below : Math.max(4, event.clientY - tip.offsetHeight - 10)) + 'px';
}

// Mouse and keys.
function nodeAt(event) {
  const place = canvas.getBoundingClientRect();
  const x = event.clientX - place.left, y = event.clientY - place.top + view.scrollTop;
  const row = Math.floor((growsUp ? heightShown() - y : y) / kRow);
  const box = boxes.find(one => one[3] === row && x >= one[1] && x < one[1] + one[2]);
  return box ? box[0] : null;
}

function select(node) {
  selected = node;
  $('status').textContent = describe(node);
  const top = topOf(depth[node]);
  if (top < view.scrollTop) view.scrollTop = top;
  else if (top + kRow > view.scrollTop + view.clientHeight) view.scrollTop = top + kRow - view.clientHeight;
  redraw();
}

function fit(node) {
  focus = node >= 0 && name[node] < 0 ? parent[node] : node;
  tip.hidden = true;
  draw();
  if (growsUp) view.scrollTop = topOf(depth[focus]) + kRow - view.clientHeight;
  select(focus);
}

function sibling(node, step) {
  if (node === 0) return 0;
  let before = node, last = node;
  for (let one = parent[node] + 1; one < end[parent[node]]; last = one, one = end[one]) {
    if (step > 0 && last === node && one > node) return one;
    if (step < 0 && one === node) return before;
    before = one;
  }
  return node;
}

function takeKey(event) {
  const down = growsUp ? 'ArrowUp' : 'ArrowDown', up = growsUp ? 'ArrowDown' : 'ArrowUp';
  const steps = {
    [down]: () => select(end[selected] > selected + 1 ? selected + 1 : selected),
    [up]: () => select(Math.max(0, parent[selected])),
    ArrowLeft: () => select(sibling(selected, -1)),
    ArrowRight: () => select(sibling(selected, 1)),
    Enter: () => fit(selected),
    Escape: () => fit(Math.max(0, parent[focus])),
    Home: () => fit(0),
    0: () => fit(0),
  };
  if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  steps[event.key]();
}

// What of the whole runs through a match: below one, further ones count no more.
function matchedExtent() {
  let sum = 0;
  for (let node = 1; node < count;) {
    const isMatch = name[node] >= 0 && matches[name[node]];
    if (isMatch) sum += extent[node];
    node = isMatch ? end[node] : node + 1;
  }
  return sum;
}

function takeSearch() {
  const found = $('found');
  found.className = '';
  found.textContent = '';
  matches = null;
  if (search.value) {
    try {
      const expression = new RegExp(search.value, 'i');
      matches = data.names.map(text => expression.test(text));
      found.textContent = shareText(matchedExtent(), extent[0]) + ' · ' + matches.filter(Boolean).length + ' functions';
    } catch (problem) {
      found.className = 'bad';
      found.textContent = 'not a regular expression';
    }
  }
  redraw();
}

function showDirection() {
  $('direction').textContent = growsUp ? '▲ Flame' : '▼ Icicle';
}

sumUp();
showLegend();
showDirection();
$('direction').onclick = () => { growsUp = !growsUp; showDirection(); fit(focus); };
$('all').onclick = () => fit(0);
view.onscroll = redraw;
view.onkeydown = takeKey;
search.oninput = takeSearch;
search.onkeydown = event => {
  if (event.key === 'Escape') { search.value = ''; takeSearch(); view.focus(); }
};
document.onkeydown = event => {
  const isSearch = event.key === '/' || event.key === 'f' && (event.ctrlKey || event.metaKey);
  if (!isSearch || document.activeElement === search) return;
  event.preventDefault();
  search.focus();
  search.select();
};
canvas.onmousemove = event => {
  const node = nodeAt(event);
  if (node !== hovered) redraw();
  hovered = node === null ? -1 : node;
  canvas.style.cursor = node !== null && node >= 0 ? 'pointer' : '';
  showTip(event, node);
};
canvas.onmouseleave = () => { hovered = -1; tip.hidden = true; redraw(); };
canvas.onclick = event => {
  const node = nodeAt(event);
  if (node !== null) fit(node < 0 ? parent[-1 - node] : node);
};
matchMedia('(prefers-color-scheme: dark)').onchange = () => { showLegend(); redraw(); };
onresize = redraw;
draw();
if (growsUp) view.scrollTop = room.offsetHeight;
select(0);
