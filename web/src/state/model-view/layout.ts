/**
 * The places of a model's boxes: in layers from left to right, each box right of the boxes that it refers to, with few
 * crossings of lines.
 *
 * Pure. Invariants: boxes never overlap; the same model is always laid out the same way; a line that passes layers is
 * level in each, between the boxes. Collections that nothing joins are packed below one another in rows.
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface LayoutNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** A line from the box that refers to the box referred to; `fromY` and `toY` are its ends below each box's top. */
export interface LayoutEdge {
  readonly from: string;
  readonly to: string;
  readonly fromY: number;
  readonly toY: number;
}

export interface Layout {
  /** The top left corner of each box. */
  readonly places: ReadonlyMap<string, Point>;
  /** The bends of each line, in the lines' order: the points where it enters and leaves the layers that it passes. */
  readonly bends: readonly (readonly Point[])[];
}

/** Room between layers, between boxes in one, and between parts that nothing joins. */
const across = 156;
const between = 28;
const apart = 104;
/** The height in a layer that is left free for each line passing through it. */
const lane = 18;
const sweeps = 12;

/** A box, or the place where a line passes a layer. */
interface Item {
  readonly id: string | null;
  readonly width: number;
  readonly height: number;
  layer: number;
  order: number;
  y: number;
}

/** A line between two items of layers side by side. */
interface Link {
  readonly left: Item;
  readonly right: Item;
  readonly leftY: number;
  readonly rightY: number;
}

export function layOut(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Layout {
  const known = new Set(nodes.map(({ id }) => id));
  const places = new Map<string, Point>();
  const bends: Point[][] = edges.map(() => []);
  const parts = partsOf(nodes, edges);
  const laid = parts.map((part) => layOutPart(part, edges, known));
  const area = laid.reduce((sum, { width, height }) => sum + (width + apart) * (height + apart), 0);
  const widest = Math.max(0, ...laid.map(({ width }) => width));
  const room = Math.max(widest, Math.sqrt(area * 1.7));
  let [x, y, high] = [0, 0, 0];
  for (const part of laid) {
    if (x > 0 && x + part.width > room) {
      x = 0;
      y += high + apart;
      high = 0;
    }
    for (const [id, at] of part.places) places.set(id, { x: x + at.x, y: y + at.y });
    for (const [edge, points] of part.bends) bends[edge] = points.map((at) => ({ x: x + at.x, y: y + at.y }));
    x += part.width + apart;
    high = Math.max(high, part.height);
  }
  return { places, bends };
}

/** Nodes that lines join, the largest parts first; of those alone the tall ones first, so that rows are even. */
function partsOf(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): readonly (readonly LayoutNode[])[] {
  const root = new Map(nodes.map(({ id }) => [id, id]));
  const find = (id: string): string => {
    let at = id;
    for (let up = root.get(at); up !== undefined && up !== at; up = root.get(at)) at = up;
    return at;
  };
  for (const { from, to } of edges) if (root.has(from) && root.has(to)) root.set(find(from), find(to));
  const parts = new Map<string, LayoutNode[]>();
  for (const node of nodes) parts.set(find(node.id), [...(parts.get(find(node.id)) ?? []), node]);
  return [...parts.values()].sort(
    (one, other) => other.length - one.length || (other[0]?.height ?? 0) - (one[0]?.height ?? 0),
  );
}

interface LaidPart {
  readonly places: ReadonlyMap<string, Point>;
  readonly bends: ReadonlyMap<number, readonly Point[]>;
  readonly width: number;
  readonly height: number;
}

function layOutPart(part: readonly LayoutNode[], edges: readonly LayoutEdge[], known: ReadonlySet<string>): LaidPart {
  const own = new Set(part.map(({ id }) => id));
  const inside = edges.flatMap((edge, index) =>
    own.has(edge.from) && known.has(edge.to) && edge.from !== edge.to ? [{ ...edge, index }] : [],
  );
  const layerOf = layersOf(part, inside);
  const items = new Map(
    part.map(({ id, width, height }): [string, Item] => [
      id,
      { id, width, height, layer: layerOf.get(id) ?? 0, order: 0, y: 0 },
    ]),
  );
  const layers: Item[][] = [];
  const put = (item: Item): void => {
    const layer = layers[item.layer] ?? [];
    layers[item.layer] = layer;
    item.order = layer.length;
    layer.push(item);
  };
  for (const item of items.values()) put(item);
  const links: Link[] = [];
  const passing = new Map<number, { readonly chain: readonly Item[]; readonly isForth: boolean }>();
  for (const { from, to, fromY, toY, index } of inside) {
    const [one, other] = [items.get(from) as Item, items.get(to) as Item];
    if (one.layer === other.layer) continue;
    // A line that closes a circle goes the other way, but passes the same layers.
    const isForth = one.layer > other.layer;
    const [left, right] = isForth ? [other, one] : [one, other];
    const [leftY, rightY] = isForth ? [toY, fromY] : [fromY, toY];
    const chain: Item[] = [];
    let [before, beforeY] = [left, leftY];
    for (let layer = left.layer + 1; layer < right.layer; layer++) {
      const item: Item = { id: null, width: 0, height: lane, layer, order: 0, y: 0 };
      put(item);
      chain.push(item);
      links.push({ left: before, right: item, leftY: beforeY, rightY: lane / 2 });
      [before, beforeY] = [item, lane / 2];
    }
    links.push({ left: before, right, leftY: beforeY, rightY });
    passing.set(index, { chain: isForth ? chain.toReversed() : chain, isForth });
  }
  order(layers, links);
  align(layers, links);
  const top = Math.min(...layers.flat().map(({ y }) => y));
  const lefts: number[] = [];
  let width = 0;
  for (const layer of layers) {
    lefts.push(width);
    width += Math.max(...layer.map((item) => item.width)) + across;
  }
  const widthOf = (layer: number): number => Math.max(...(layers[layer] ?? []).map((item) => item.width));
  const places = new Map<string, Point>();
  for (const item of items.values()) places.set(item.id as string, { x: lefts[item.layer] ?? 0, y: item.y - top });
  const bends = new Map<number, Point[]>();
  for (const [index, { chain, isForth }] of passing) {
    // Level from one side of the layer to the other.
    const sides = (layer: number): readonly number[] => [lefts[layer] ?? 0, (lefts[layer] ?? 0) + widthOf(layer)];
    bends.set(
      index,
      chain.flatMap(({ layer, y }) =>
        (isForth ? sides(layer).toReversed() : sides(layer)).map((x) => ({ x, y: y - top + lane / 2 })),
      ),
    );
  }
  const height = Math.max(...layers.flat().map((item) => item.y + item.height)) - top;
  return { places, bends, width: width - across, height };
}

/** The longest way to something that refers to nothing; lines that close a circle are left out of account. */
function layersOf(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): ReadonlyMap<string, number> {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const layers = new Map<string, number>();
  const open = new Set<string>();
  const layerOf = (id: string): number => {
    const known = layers.get(id);
    if (known !== undefined) return known;
    open.add(id);
    let layer = 0;
    for (const to of targets.get(id) ?? []) if (!open.has(to)) layer = Math.max(layer, layerOf(to) + 1);
    open.delete(id);
    layers.set(id, layer);
    return layer;
  };
  for (const { id } of nodes) layerOf(id);
  return layers;
}

/** Orders each layer by the middle of its neighbours, there and back, and keeps the order with the fewest crossings. */
function order(layers: readonly Item[][], links: readonly Link[]): void {
  const rightwards = new Map<Item, Link[]>();
  const leftwards = new Map<Item, Link[]>();
  for (const link of links) {
    rightwards.set(link.left, [...(rightwards.get(link.left) ?? []), link]);
    leftwards.set(link.right, [...(leftwards.get(link.right) ?? []), link]);
  }
  /** Where a line ends in its layer: the box's place, and the height in it. */
  const portOf = (item: Item, y: number): number => item.order + y / (item.height + 1);
  const middle = (item: Item, isForth: boolean): number => {
    const ports = isForth
      ? (leftwards.get(item) ?? []).map(({ left, leftY, rightY }) => portOf(left, leftY) - rightY / 10_000)
      : (rightwards.get(item) ?? []).map(({ right, rightY, leftY }) => portOf(right, rightY) - leftY / 10_000);
    return ports.length === 0 ? item.order : ports.reduce((sum, port) => sum + port, 0) / ports.length;
  };
  let best = layers.map((layer) => [...layer]);
  let fewest = crossings(links, portOf);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    const isForth = sweep % 2 === 0;
    for (const layer of isForth ? layers : layers.toReversed()) {
      const middles = new Map(layer.map((item) => [item, middle(item, isForth)]));
      layer.sort((one, other) => (middles.get(one) ?? 0) - (middles.get(other) ?? 0) || one.order - other.order);
      for (const [index, item] of layer.entries()) item.order = index;
    }
    const now = crossings(links, portOf);
    if (now >= fewest) continue;
    fewest = now;
    best = layers.map((layer) => [...layer]);
  }
  for (const [index, layer] of layers.entries()) {
    layer.splice(0, layer.length, ...(best[index] ?? []));
    for (const [at, item] of layer.entries()) item.order = at;
  }
}

function crossings(links: readonly Link[], portOf: (item: Item, y: number) => number): number {
  let found = 0;
  for (const [index, one] of links.entries())
    for (const other of links.slice(index + 1)) {
      if (one.left.layer !== other.left.layer) continue;
      const left = portOf(one.left, one.leftY) - portOf(other.left, other.leftY);
      const right = portOf(one.right, one.rightY) - portOf(other.right, other.rightY);
      if (left * right < 0) found += 1;
    }
  return found;
}

/** Moves boxes up and down within their order, so that lines are as level as they can be. */
function align(layers: readonly Item[][], links: readonly Link[]): void {
  for (const layer of layers) {
    let y = 0;
    for (const item of layer) {
      item.y = y;
      y += item.height + between;
    }
  }
  for (let sweep = 0; sweep < sweeps; sweep++)
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed()) {
      const wanted = layer.map((item) => {
        const heights = links.flatMap((link) =>
          link.left === item
            ? [link.right.y + link.rightY - link.leftY]
            : link.right === item
              ? [link.left.y + link.leftY - link.rightY]
              : [],
        );
        return heights.length === 0 ? item.y : heights.reduce((sum, height) => sum + height, 0) / heights.length;
      });
      for (const [index, y] of spread(layer, wanted).entries()) (layer[index] as Item).y = y;
    }
}

/** The heights nearest to the wanted ones at which boxes stay in order and apart: neighbours that would meet share. */
function spread(layer: readonly Item[], wanted: readonly number[]): readonly number[] {
  const offsets: number[] = [];
  let offset = 0;
  for (const { height } of layer) {
    offsets.push(offset);
    offset += height + between;
  }
  const blocks: { sum: number; count: number }[] = [];
  for (const [index, y] of wanted.entries()) {
    let block = { sum: y - (offsets[index] ?? 0), count: 1 };
    for (let last = blocks.at(-1); last !== undefined; last = blocks.at(-1)) {
      if (last.sum / last.count <= block.sum / block.count) break;
      blocks.pop();
      block = { sum: last.sum + block.sum, count: last.count + block.count };
    }
    blocks.push(block);
  }
  return blocks
    .flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count))
    .map((y, index) => y + (offsets[index] ?? 0));
}
