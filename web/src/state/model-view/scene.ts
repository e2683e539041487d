/**
 * A model as it is drawn: boxes with rows, lines with ends and labels, all with their places and texts.
 *
 * Pure; the page and the SVG file draw the same scene. Invariants: texts are cut to fit by counting letters, since a
 * drawing measures nothing; a line ends at the row of its field, which is in the box however few rows that has; boxes
 * that the reader moved stay where they are.
 */
import { familyOf, type ValueFamily } from "../values.ts";
import { unchosen, type Choices } from "./choices.ts";
import { layOut, type LayoutEdge, type Point } from "./layout.ts";
import { referenceKey, type Cardinality, type FoundReference, type Model, type ModelCollection } from "./model.ts";
import { routeOf, type Rectangle } from "./route.ts";
import { rangeText, rowsOf, type FieldRow } from "./rows.ts";

/** The words of a scene, in the reader's language. */
export interface SceneWords {
  number(value: number): string;
  documents(collection: ModelCollection): string;
  more(count: string): string;
  fewer: string;
  nothing: string;
}

export interface SceneRow {
  readonly y: number;
  readonly indent: number;
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly family: ValueFamily;
  /** The share of documents that have the field, in words; empty where all have it. */
  readonly share: string;
  readonly isKey: boolean;
}

export interface SceneBox {
  readonly name: string;
  readonly kind: ModelCollection["kind"];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly caption: string;
  readonly rows: readonly SceneRow[];
  /** The text of the row below the fields: how many more there are, or "fewer"; empty where all fit. */
  readonly more: string;
  readonly isExpanded: boolean;
  readonly wasMoved: boolean;
}

export interface SceneLine {
  readonly id: string;
  readonly reference: FoundReference;
  readonly isConfirmed: boolean;
  readonly d: string;
  /** The marks of how many there are at each end. */
  readonly ends: string;
  readonly label: Point & { readonly width: number };
  readonly name: string;
  /** How many parents, and how many children: `1 : 0–18`; empty before it was measured. */
  readonly figures: string;
  readonly dangles: boolean;
}

/** The line from a view to the collection or view that it reads. */
export interface SceneView {
  readonly from: string;
  readonly to: string;
  readonly d: string;
}

export interface Scene {
  readonly boxes: readonly SceneBox[];
  readonly lines: readonly SceneLine[];
  readonly views: readonly SceneView[];
  readonly width: number;
  readonly height: number;
  /** The drawing's point from which moved boxes are measured, so that a place means the same in each drawing. */
  readonly origin: Point;
}

/** Measures of the drawing, in pixels at its own size. */
export const measures = {
  head: 46,
  row: 20,
  foot: 8,
  pad: 12,
  indent: 12,
  margin: 24,
  letter: 7.25,
  share: 40,
} as const;
const { head, row: rowHeight, foot, pad, indent, margin, letter, share: shareWidth } = measures;
const loopRoom = 72;
/** A letter of a name, with room for wide ones. */
const titleLetter = 9.2;
const narrowest = 168;
const widest = 340;
/** Rows of a box before the reader asks for all of them. */
export const fewRows = 14;

/** Whether a reference is drawn: it is likely or was confirmed, and the reader did not hide it. */
export function isDrawn(reference: FoundReference, choices: Choices): boolean {
  const { is } = choices.references.get(referenceKey(reference)) ?? unchosen;
  return is === "confirmed" || (is === "found" && reference.isLikely);
}

/** Lays a model out. `expanded` names the boxes with all their rows. */
export function sceneOf(model: Model, choices: Choices, expanded: ReadonlySet<string>, words: SceneWords): Scene {
  const known = new Set(model.collections.map(({ name }) => name));
  const drawn = model.references.filter((one) => isDrawn(one, choices) && known.has(one.from) && known.has(one.to));
  const views = model.collections.flatMap(({ name, source }) =>
    source !== null && known.has(source) ? [{ from: name, to: source }] : [],
  );
  const sized = new Map(
    model.collections.map((collection) => [
      collection.name,
      sizedBox(collection, anchorsOf(collection.name, drawn), expanded.has(collection.name), words),
    ]),
  );
  const heightIn = (collection: string, steps: readonly string[]): number => {
    const box = sized.get(collection);
    const at = box?.shown.findIndex((row) => isAnchor(row, steps)) ?? -1;
    return at < 0 ? head / 2 : head + at * rowHeight + rowHeight / 2;
  };
  const edges: readonly LayoutEdge[] = [
    ...drawn.map(({ from, to, steps, key }) => ({
      from,
      to,
      fromY: heightIn(from, steps),
      toY: heightIn(to, key.split(".")),
    })),
    ...views.map((view) => ({ ...view, fromY: head / 2, toY: head / 2 })),
  ];
  const laid = layOut(
    [...sized].map(([id, { width, height }]) => ({ id, width, height })),
    edges,
  );
  // A box that refers to itself has its loop at the left, which needs room there.
  const left = margin + (drawn.some(({ from, to }) => from === to) ? loopRoom : 0);
  const boxes = [...sized.values()].map((box): SceneBox => {
    const moved = choices.places.get(box.name);
    const { x, y } = moved ?? laid.places.get(box.name) ?? { x: 0, y: 0 };
    const { shown: _, ...drawing } = box;
    return { ...drawing, x: x + left, y: y + margin, wasMoved: moved !== undefined };
  });
  const byName = new Map(boxes.map((box) => [box.name, box]));
  const routes = edges.map((edge, index) => {
    const [from, to] = [byName.get(edge.from), byName.get(edge.to)] as [SceneBox, SceneBox];
    const bends = from.wasMoved || to.wasMoved ? [] : (laid.bends[index] ?? []);
    return routeOf(
      portOf(from, edge.fromY),
      portOf(to, edge.toY),
      bends.map(({ x, y }) => ({ x: x + left, y: y + margin })),
    );
  });
  const taken: Rectangle[] = [];
  const lines = drawn.map((reference, index): SceneLine => {
    const route = routes[index] as (typeof routes)[number];
    const id = referenceKey(reference);
    const { is, name } = choices.references.get(id) ?? unchosen;
    const { cardinality } = reference;
    const isForth = route.end.x <= route.start.x;
    const figures = cardinality === null ? "" : figuresOf(cardinality, isForth, words);
    const width = Math.max(textWidth(name, 13, 6.6), textWidth(figures, 12, letter)) + 12;
    const label = { ...freePlace(route.middle, width, name !== "" && figures !== "" ? 36 : 20, taken), width };
    return {
      id,
      reference,
      isConfirmed: is === "confirmed",
      d: route.d,
      ends:
        cardinality === null
          ? ""
          : mark(route.start, route.startSide, cardinality.children.most > 1) +
            mark(route.end, route.endSide, cardinality.parents.most > 1),
      label,
      name,
      figures,
      dangles: (cardinality?.dangling ?? reference.looked - reference.matched) > 0,
    };
  });
  return {
    boxes,
    lines,
    views: views.map((view, index) => ({ ...view, d: routes[drawn.length + index]?.d ?? "" })),
    origin: { x: left, y: margin },
    width: Math.max(0, ...boxes.map((box) => box.x + box.width), ...taken.map((box) => box.x + box.width)) + margin,
    height: Math.max(0, ...boxes.map((box) => box.y + box.height), ...taken.map((box) => box.y + box.height)) + margin,
  };
}

interface SizedBox extends Omit<SceneBox, "x" | "y" | "wasMoved"> {
  readonly shown: readonly FieldRow[];
}

/** The fields at which lines end. */
function anchorsOf(collection: string, drawn: readonly FoundReference[]): readonly (readonly string[])[] {
  return drawn.flatMap(({ from, to, steps, key }) => [
    ...(from === collection ? [steps] : []),
    ...(to === collection ? [key.split(".")] : []),
  ]);
}

/** The row of a field is that of its array too, where the values are elements. */
function isAnchor(row: FieldRow, steps: readonly string[]): boolean {
  const own = steps.filter((step, index) => !(step === "[]" && index === steps.length - 1));
  return row.steps.length === own.length && row.steps.every((step, index) => step === own[index]);
}

function sizedBox(
  collection: ModelCollection,
  anchors: readonly (readonly string[])[],
  isExpanded: boolean,
  words: SceneWords,
): SizedBox {
  const all = rowsOf(collection, words);
  const isLong = all.length > fewRows + 1;
  const shown = isLong && !isExpanded ? chosenRows(all, anchors) : all;
  const left = all.length - shown.length + collection.omitted;
  const more =
    shown.length < all.length
      ? words.more(words.number(left))
      : isLong
        ? words.fewer
        : collection.fields.length === 0
          ? words.nothing
          : "";
  const { name } = collection;
  const caption = words.documents(collection);
  const hasShares = shown.some(({ share }) => share !== "");
  const right = (row: FieldRow): number => letter * row.type.length + (hasShares ? shareWidth : 0);
  const wanted = shown.map((row) => pad + row.depth * indent + letter * row.name.length + 16 + right(row) + pad);
  const width = Math.round(
    Math.min(
      widest,
      Math.max(narrowest, textWidth(name, 16, titleLetter) + 2 * pad, textWidth(caption, 13, 6.4) + 2 * pad, ...wanted),
    ),
  );
  return {
    name,
    kind: collection.kind,
    width,
    height: head + (shown.length + (more === "" ? 0 : 1)) * rowHeight + foot,
    title: cutTo(name, (width - 2 * pad) / titleLetter),
    caption,
    rows: shown.map((row, index) => ({
      y: head + index * rowHeight,
      indent: row.depth * indent,
      name: cutTo(row.name, (width - 2 * pad - row.depth * indent - right(row) - 10) / letter),
      path: row.path,
      type: row.type,
      family: familyOf(row.main),
      share: row.share,
      isKey: row.isKey,
    })),
    more,
    isExpanded: isLong && isExpanded,
    shown,
  };
}

/** The rows at which lines end and those of the fields around them, filled up to `fewRows` with the first others. */
function chosenRows(all: readonly FieldRow[], anchors: readonly (readonly string[])[]): readonly FieldRow[] {
  const isAbove = (row: FieldRow, steps: readonly string[]): boolean =>
    row.steps.length < steps.length && row.steps.every((step, index) => step === steps[index]);
  const needed = new Set(all.filter((row) => anchors.some((steps) => isAnchor(row, steps) || isAbove(row, steps))));
  let room = Math.max(0, fewRows - needed.size);
  return all.filter((row) => {
    if (needed.has(row)) return true;
    room -= 1;
    return room >= 0;
  });
}

function portOf(box: SceneBox, y: number): { readonly box: Rectangle; readonly y: number } {
  return { box, y: box.y + y };
}

/** A crow's foot for many, a bar for one. */
function mark({ x, y }: Point, side: number, isMany: boolean): string {
  return isMany ? `M${x} ${y - 6}L${x + side * 11} ${y}L${x} ${y + 6}` : `M${x + side * 7} ${y - 6}v12`;
}

/** A reference's figures, as `1 : 0–18`: the parents' first with `isForth`, so that each stands beside its own end. */
export function figuresOf(
  { parents, children }: Cardinality,
  isForth: boolean,
  words: Pick<SceneWords, "number">,
): string {
  // Each number stands beside its own end of the line.
  return isForth
    ? `${rangeText(parents, words)} : ${rangeText(children, words)}`
    : `${rangeText(children, words)} : ${rangeText(parents, words)}`;
}

/** A place near a point where a label of this size covers no other. */
function freePlace(at: Point, width: number, height: number, taken: Rectangle[]): Point {
  let y = at.y;
  const meets = (other: Rectangle): boolean =>
    at.x - width / 2 < other.x + other.width &&
    other.x < at.x + width / 2 &&
    y - height / 2 < other.y + other.height &&
    other.y < y + height / 2;
  for (let turn = 1; turn < 12 && taken.some(meets); turn++)
    y = at.y + (turn % 2 === 0 ? -1 : 1) * Math.ceil(turn / 2) * 22;
  taken.push({ x: at.x - width / 2, y: y - height / 2, width, height });
  return { x: at.x, y };
}

/** The upper part of a box, within its frame. */
export function headOf(width: number): string {
  return `M.5 4A3.5 3.5 0 0 1 4 .5H${width - 4}A3.5 3.5 0 0 1 ${width - 0.5} 4V${measures.head - 6}H.5z`;
}

/** About how wide a text is: Chinese characters are as wide as the letters are high. */
export function textWidth(text: string, size: number, perLetter: number): number {
  let width = 0;
  for (const character of text) width += /[\u2e80-\uffef]/.test(character) ? size : perLetter;
  return width;
}

/** A text cut to a number of letters. */
function cutTo(text: string, letters: number): string {
  let left = Math.max(3, letters);
  let end = 0;
  for (const character of text) {
    left -= /[\u2e80-\uffef]/.test(character) ? 1.7 : 1;
    if (left < 0) return `${text.slice(0, Math.max(1, end - 1))}…`;
    end += character.length;
  }
  return text;
}
