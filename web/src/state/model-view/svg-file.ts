/**
 * A model's drawing as an SVG file.
 *
 * Invariants: the same scene as on the page; the file needs nothing else (its own colours, generic fonts); it is dark
 * where its reader's screen is, and always dark ink on white paper where it is printed. Texts are escaped.
 */
import { headOf, measures, type Scene, type SceneBox, type SceneLine } from "./scene.ts";

/** The texts of the file for its reader: its language, title and description (`<title>` and `<desc>`). */
export interface SvgWords {
  readonly language: string;
  readonly title: string;
  readonly about: string;
}

/** The page's colours: ground, paper, paper of heads, rules, ink, and those of types. */
const light = {
  ground: "#f4edde",
  paper: "#fcf9f0",
  head: "#e9dfca",
  rule: "#877a64",
  guide: "#dfd4be",
  ink: "#231f1a",
  "ink-2": "#544b3e",
  "ink-3": "#665b4b",
  thread: "#b0452f",
  rubric: "#98291b",
  warn: "#76510a",
  "warn-wash": "#f5e8c8",
  string: "#46591f",
  number: "#1d4f83",
  date: "#7a450f",
  id: "#6a3a77",
  word: "#8b2747",
  binary: "#295d5a",
  nest: "#544b3e",
};
const dark: typeof light = {
  ground: "#26221e",
  paper: "#1e1b18",
  head: "#332d27",
  rule: "#8a7e6c",
  guide: "#38322b",
  ink: "#ece4d5",
  "ink-2": "#c3b9a7",
  "ink-3": "#a89d8b",
  thread: "#c65d47",
  rubric: "#f2937d",
  warn: "#e2b660",
  "warn-wash": "#352a14",
  string: "#bccb8d",
  number: "#93bfe8",
  date: "#e0ac72",
  id: "#d3aadf",
  word: "#f09db5",
  binary: "#8fcac4",
  nest: "#c3b9a7",
};
const print: typeof light = { ...light, ground: "#ffffff", paper: "#ffffff", head: "#f2f2f2", "warn-wash": "#ffffff" };

const families = ["string", "number", "date", "id", "word", "binary", "nest"] as const;

/** Plain rules without custom properties, which programs that draw SVG know less well. */
function colours(of: typeof light): string {
  return [
    `.ground,.label{fill:${of.ground}}`,
    `.frame{fill:${of.paper};stroke:${of.rule}}`,
    `.head{fill:${of.head}}`,
    `.under{stroke:${of.rule}}`,
    `.guide{stroke:${of.guide}}`,
    `text{fill:${of.ink}}`,
    `.caption,.more{fill:${of["ink-2"]}}`,
    `.share{fill:${of["ink-3"]}}`,
    `.way,.ends{stroke:${of.thread}}`,
    `.confirmed .way,.confirmed .ends{stroke:${of.ink}}`,
    `.dangles .label{fill:${of["warn-wash"]};stroke:${of.warn}}`,
    `.name{fill:${of.rubric}}`,
    `.source{stroke:${of["ink-3"]}}`,
    ...families.map((family) => `.${family}{fill:${of[family]}}`),
  ].join("");
}

const shapes =
  "path{fill:none}.head{stroke:none}text{font-family:monospace;font-size:12px}" +
  ".title{font:bold 16px serif}.caption{font:12.5px serif}.more{font:italic 13px serif}.key{font-weight:bold}" +
  ".name{font:italic 14px serif}.view .frame{stroke-dasharray:5 4}.way{stroke-width:1.6;stroke-dasharray:7 4}" +
  ".ends{stroke-width:1.6}.confirmed .way{stroke-dasharray:none;stroke-width:1.9}.source{stroke-dasharray:2 4}";

/** The file's text. */
export function svgOf(scene: Scene, { language, title, about }: SvgWords): string {
  const { width, height } = scene;
  const style =
    shapes +
    colours(light) +
    `@media screen and (prefers-color-scheme:dark){${colours(dark)}}@media print{${colours(print)}}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(height)}" ` +
      `viewBox="0 0 ${round(width)} ${round(height)}" role="img" xml:lang="${escaped(language)}">`,
    `<title>${escaped(title)}</title><desc>${escaped(about)}</desc>`,
    `<style>${style}</style>`,
    `<rect class="ground" width="100%" height="100%"/>`,
    ...scene.views.map(({ d }) => `<path class="source" d="${d}"/>`),
    ...scene.lines.map(lineOf),
    ...scene.lines.map(labelOf),
    ...scene.boxes.map(boxOf),
    "</svg>",
    "",
  ].join("\n");
}

function boxOf(box: SceneBox): string {
  const { width, height, rows } = box;
  const { head, row, pad, share } = measures;
  const under = head - 6;
  const right = width - pad;
  const shares = rows.some((one) => one.share !== "") ? share : 0;
  return [
    `<g class="box ${box.kind}" transform="translate(${round(box.x)} ${round(box.y)})">`,
    `<title>${escaped(box.name)}</title>`,
    `<rect class="frame" width="${width}" height="${height}" rx="4"/>`,
    `<path class="head" d="${headOf(width)}"/><path class="under" d="M.5 ${under}H${width - 0.5}"/>`,
    textOf("title", pad, 19, box.title),
    textOf("caption", pad, 34, box.caption),
    ...rows.flatMap((one) => {
      const x = pad + one.indent;
      const y = one.y + 14;
      return [
        one.indent === 0 ? "" : `<path class="guide" d="M${x - 8} ${one.y}v${row}"/>`,
        textOf(one.isKey ? "row key" : "row", x, y, one.name),
        textOf(one.family, right - shares, y, one.type, "end"),
        one.share === "" ? "" : textOf("share", right, y, one.share, "end"),
      ];
    }),
    box.more === "" ? "" : textOf("more", pad, head + rows.length * row + 14, box.more),
    "</g>",
  ].join("");
}

function lineOf(line: SceneLine): string {
  const { d, ends } = line;
  const mark = ends === "" ? "" : `<path class="ends" d="${ends}"/>`;
  return `<g class="line${looksOf(line)}"><path class="way" d="${d}"/>${mark}</g>`;
}

function labelOf(line: SceneLine): string {
  const { label, name, figures } = line;
  if (name === "" && figures === "") return "";
  const both = name !== "" && figures !== "";
  const height = both ? 36 : 20;
  return [
    `<g class="text${looksOf(line)}"><rect class="label" x="${round(label.x - label.width / 2)}" `,
    `y="${round(label.y - height / 2)}" width="${round(label.width)}" height="${height}" rx="3"/>`,
    name === "" ? "" : textOf("name", label.x, label.y + (both ? -4 : 4), name, "middle"),
    figures === "" ? "" : textOf("figures", label.x, label.y + (both ? 12 : 4), figures, "middle"),
    "</g>",
  ].join("");
}

const looksOf = ({ isConfirmed, dangles }: SceneLine): string =>
  `${isConfirmed ? " confirmed" : ""}${dangles ? " dangles" : ""}`;

function textOf(kind: string, x: number, y: number, text: string, anchor = "start"): string {
  const at = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
  return `<text class="${kind}" x="${round(x)}" y="${round(y)}"${at}>${escaped(text)}</text>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** A text as XML holds it: characters that no XML may hold are left out. */
export function escaped(text: string): string {
  let safe = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const isHeld =
      code === 9 ||
      code === 10 ||
      code === 13 ||
      (code >= 32 && code < 0xd800) ||
      (code > 0xdfff && code < 0xfffe) ||
      code > 0xffff;
    if (isHeld) safe += escapes[character] ?? character;
  }
  return safe;
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
