/** Boxes apart, layers in order, few crossings, bends between boxes; circles, and collections alone. */
import { expect, test } from "vitest";
import { layOut, type Layout, type LayoutEdge, type LayoutNode } from "./layout.ts";

const node = (id: string, height = 100): LayoutNode => ({ id, width: 200, height });
const edge = (from: string, to: string): LayoutEdge => ({ from, to, fromY: 50, toY: 20 });

function overlaps(nodes: readonly LayoutNode[], { places }: Layout): readonly string[] {
  return nodes.flatMap((one, index) =>
    nodes.slice(index + 1).flatMap((other) => {
      const [a, b] = [places.get(one.id), places.get(other.id)];
      if (a === undefined || b === undefined) return ["missing"];
      const meet =
        a.x < b.x + other.width && b.x < a.x + one.width && a.y < b.y + other.height && b.y < a.y + one.height;
      return meet ? [`${one.id} ${other.id}`] : [];
    }),
  );
}

test("what refers is right of what it refers to", () => {
  const nodes = ["orders", "customers", "products", "reviews"].map((id) => node(id));
  const edges = [
    edge("orders", "customers"),
    edge("orders", "products"),
    edge("reviews", "orders"),
    edge("reviews", "customers"),
  ];
  const laid = layOut(nodes, edges);
  const x = (id: string): number => laid.places.get(id)?.x ?? Number.NaN;
  expect(x("customers")).toBe(0);
  expect(x("products")).toBe(0);
  expect(x("orders")).toBeGreaterThan(200);
  expect(x("reviews")).toBeGreaterThan(x("orders") + 200);
  expect(overlaps(nodes, laid)).toEqual([]);
  // The line from reviews to customers passes the layer of orders, above or below its box.
  expect(laid.bends.map((points) => points.length)).toEqual([0, 0, 0, 2]);
  const bend = laid.bends[3]?.[0];
  const box = laid.places.get("orders");
  expect(bend !== undefined && box !== undefined && (bend.y <= box.y || bend.y >= box.y + 100)).toBe(true);
  expect(layOut(nodes, edges)).toEqual(laid);
});

test("lines that could cross do not", () => {
  const nodes = ["a", "b", "c", "x", "y", "z"].map((id) => node(id));
  const edges = [edge("x", "c"), edge("y", "b"), edge("z", "a"), edge("x", "b"), edge("y", "a")];
  const { places } = layOut(nodes, edges);
  const y = (id: string): number => places.get(id)?.y ?? Number.NaN;
  const cross = (one: LayoutEdge, other: LayoutEdge): boolean =>
    one.from !== other.from && one.to !== other.to && (y(one.from) - y(other.from)) * (y(one.to) - y(other.to)) < 0;
  expect(edges.flatMap((one, index) => edges.slice(index + 1).filter((other) => cross(one, other)))).toEqual([]);
});

test("circles, references to itself, to nothing, and no collection at all", () => {
  const nodes = ["a", "b", "c"].map((id) => node(id));
  const laid = layOut(nodes, [edge("a", "b"), edge("b", "c"), edge("c", "a"), edge("a", "a"), edge("a", "gone")]);
  expect(overlaps(nodes, laid)).toEqual([]);
  expect([...laid.places.values()].every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  expect(layOut([], []).places.size).toBe(0);
  expect(layOut([node("one")], []).places.get("one")).toEqual({ x: 0, y: 0 });
});

test("forty collections, most of them alone, fill a page and not a strip", () => {
  const nodes = Array.from({ length: 40 }, (_, n) => node(`c${n}`, 60 + ((n * 37) % 300)));
  const edges = Array.from({ length: 25 }, (_, n) => edge(`c${n}`, `c${(n * 7 + 3) % 20}`));
  const laid = layOut(nodes, edges);
  expect(overlaps(nodes, laid)).toEqual([]);
  const alone = layOut(nodes, []);
  const width = Math.max(...[...alone.places.values()].map(({ x }) => x + 200));
  const height = Math.max(...nodes.map(({ id, height: own }) => (alone.places.get(id)?.y ?? 0) + own));
  expect(overlaps(nodes, alone)).toEqual([]);
  expect(width / height).toBeGreaterThan(0.8);
  expect(width / height).toBeLessThan(3);
});
