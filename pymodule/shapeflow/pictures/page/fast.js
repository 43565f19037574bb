/* A layered placement of our own for groups that are too large for dagre's: ranks by longest path,
 * order in a rank by the mean of what feeds it, wide ranks folded. Linear but for the sorting. */

const FOLD = 14; // boxes side by side in a rank before it is folded into the next line

function ranksOf(count, pairs) {
  const rank = new Int32Array(count);
  const sorted = pairs.filter(([a, b]) => a < b).sort((p, q) => p[0] - q[0]);
  for (const [a, b] of sorted) rank[b] = Math.max(rank[b], rank[a] + 1);
  return rank;
}

function foldRanks(rank, wish) {
  const rows = [];
  for (let i = 0; i < rank.length; i++) (rows[rank[i]] ??= []).push(i);
  const folded = [];
  for (const row of rows.filter(Boolean)) {
    row.sort((a, b) => wish[a] - wish[b] || a - b);
    const lines = Math.ceil(row.length / FOLD);
    const each = Math.ceil(row.length / lines);
    for (let k = 0; k < lines; k++) folded.push(row.slice(k * each, (k + 1) * each));
  }
  return folded;
}

/** Centres { x, y } of boxes, and the middle points of each edge; boxes come in topological order. */
function placeFast(boxes, pairs, gap, rankGap) {
  const before = boxes.map(() => []);
  for (const [a, b] of pairs) if (a < b) before[b].push(a);
  const rank = ranksOf(boxes.length, pairs);
  const wish = new Float64Array(boxes.length);
  const centre = boxes.map(() => ({ x: 0, y: 0 }));
  const byRank = [...boxes.keys()].sort((a, b) => rank[a] - rank[b] || a - b);
  const mean = (i) => before[i].reduce((sum, a) => sum + wish[a], 0) / before[i].length;
  let lonely = 0;
  for (const i of byRank) wish[i] = before[i].length > 0 ? mean(i) + (i % 7) * 0.01 : (lonely += boxes[i].width + gap);
  const rows = foldRanks(rank, wish);
  let y = 0;
  for (const row of rows) {
    const height = Math.max(...row.map((i) => boxes[i].height));
    let right = -Infinity;
    let off = 0;
    for (const i of row) {
      const x = Math.max(before[i].length > 0 ? mean2(before[i], centre) : centre[i].x, right + gap + boxes[i].width / 2);
      centre[i] = { x, y: y + height / 2 };
      off += before[i].length > 0 ? x - mean2(before[i], centre) : 0;
      right = x + boxes[i].width / 2;
    }
    for (const i of row) centre[i].x -= off / row.length;
    y += height + rankGap;
  }
  intoColumns(rows, boxes, centre, y, gap * 3);
  return { centre, middles: pairs.map(() => []) };
}

/** A ribbon many times taller than wide is set in columns, like a newspaper's. */
function intoColumns(rows, boxes, centre, height, gap) {
  const edge = (i, side) => centre[i].x + (side * boxes[i].width) / 2;
  const all = rows.flat();
  const left = all.reduce((least, i) => Math.min(least, edge(i, -1)), Infinity);
  const right = all.reduce((most, i) => Math.max(most, edge(i, 1)), -Infinity);
  const columns = Math.floor(Math.sqrt(height / (right - left + gap) / 1.2));
  if (columns < 3) return;
  let column = 0;
  let from = 0;
  for (const row of rows) {
    const top = Math.min(...row.map((i) => centre[i].y - boxes[i].height / 2));
    if (top - from > height / columns) { column += 1; from = top; }
    for (const i of row) {
      centre[i].x += column * (right - left + gap);
      centre[i].y -= from;
    }
  }
}

function mean2(list, centre) {
  return list.reduce((sum, a) => sum + centre[a].x, 0) / list.length;
}
