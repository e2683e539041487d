/**
 * A lab's text in one language: its title and question, a line for each design and operation, and its conclusion.
 *
 * Invariants: pure; every design and operation has its part, and every figure that the text names can be computed, or a
 * fault names file and line; numbers about data or cost are never typed.
 */
import type { Token, Tokens } from "marked";
import { blocksOf, plainText, walk } from "../course/blocks.ts";
import { Faults, type Fault } from "../course/faults.ts";
import { figuresOf } from "../course/figures.ts";
import { typedNumbers } from "../course/lint.ts";
import { isBytes, readNamed, type Named } from "./measure.ts";
import type { LabScripts } from "./parse.ts";

/** A design or an operation in the words of a text. */
export interface Description {
  readonly title: string;
  readonly about: readonly Token[];
}

export interface LabText {
  readonly language: string;
  readonly title: string;
  /** The lab's question. */
  readonly about: readonly Token[];
  readonly designs: ReadonlyMap<string, Description>;
  readonly operations: ReadonlyMap<string, Description>;
  /** The conclusion from the figures; empty where the text has none. */
  readonly conclusion: readonly Token[];
}

/** A figure as a text names it: `embedded.cart.pagesRead|page|pages` words its unit, too. */
export interface TextFigure {
  readonly named: Named;
  /** The units for one and for several; null where the figure stands alone. */
  readonly units: readonly [string, string] | null;
  readonly isBytes: boolean;
}

/** Reads a figure of a lab's text; a string instead says why it is none. */
export function readFigure(figure: string, scripts: LabScripts): TextFigure | string {
  const [name = "", ...units] = figure.split("|");
  if (units.length !== 0 && units.length !== 2) return `\`{{${figure}}}\` needs a unit for one and for several`;
  const named = readNamed(name, scripts);
  if (typeof named === "string") return named;
  const size = named.kind === "average" || (named.kind === "size" && isBytes(named.size));
  return { named, units: units.length === 2 ? [units[0] ?? "", units[1] ?? ""] : null, isBytes: size };
}

const HEADING = /^(design|read|write)\s+([a-z][a-z0-9-]*)\s*[:：]\s*(.+)$/;

/** Reads `en.md` and its likes. */
export function readLabText(
  language: string,
  markdown: string,
  scripts: LabScripts,
): { readonly text: LabText; readonly faults: readonly Fault[] } {
  const file = `${language}.md`;
  const faults = new Faults(file);
  let title: string | null = null;
  const about: Token[] = [];
  const conclusion: Token[] = [];
  const said = { design: new Map<string, Description>(), operation: new Map<string, Description>() };
  let into = about;
  for (const { token, line } of blocksOf(markdown)) {
    const depth = token.type === "heading" ? (token as Tokens.Heading).depth : 0;
    const words = depth === 0 ? "" : plainText((token as Tokens.Heading).tokens).trim();
    if (depth === 1) {
      if (title !== null) faults.add(line, "a lab has one title");
      title ??= words;
      continue;
    }
    if (title === null) {
      faults.add(line, "a lab begins with its title: # Title");
      title = "";
    }
    if (depth === 2) {
      if (/^conclusion$/i.test(words)) {
        into = conclusion;
        continue;
      }
      const [, kind, id = "", name = ""] = HEADING.exec(words) ?? [];
      into = [];
      const operation = scripts.operations.find((one) => one.id === id);
      if (kind === undefined)
        faults.add(
          line,
          "a part is `## design ID: Title`, `## read ID: Title`, `## write ID: Title` or `## conclusion`",
        );
      else if (kind === "design" ? !scripts.designs.some((one) => one.id === id) : operation?.kind !== kind)
        faults.add(line, `scripts.md has no \`${kind} ${id}\``);
      else {
        const parts = said[kind === "design" ? "design" : "operation"];
        if (parts.has(id)) faults.add(line, `\`${kind} ${id}\` stands here a second time`);
        parts.set(id, { title: name, about: into });
      }
      continue;
    }
    for (const inside of walk(token)) {
      if (inside.type === "html") faults.add(line, `HTML is not drawn: ${inside.raw.trim()}`);
      const { text } = inside as { readonly text?: string };
      if (text === undefined || "tokens" in inside || inside.type === "list" || inside.type === "table") continue;
      for (const figure of figuresOf(text)) {
        const read = readFigure(figure, scripts);
        if (typeof read === "string") faults.add(line, read);
      }
    }
    into.push(token);
  }
  if (title === null || title === "") faults.add(1, "a lab begins with its title: # Title");
  for (const { id } of scripts.designs)
    if (!said.design.has(id)) faults.add(null, `the text leaves out \`## design ${id}: …\``);
  for (const { id, kind } of scripts.operations)
    if (!said.operation.has(id)) faults.add(null, `the text leaves out \`## ${kind} ${id}: …\``);
  const typed = typedNumbers("", language, markdown).map((fault) => ({ ...fault, file }));
  return {
    text: { language, title: title ?? "", about, designs: said.design, operations: said.operation, conclusion },
    faults: [...faults.found, ...typed],
  };
}

/** The figures that a text's conclusion names, to compare the lab's languages by. */
export function figuresIn(text: LabText): readonly string[] {
  const names = text.conclusion.flatMap((token) =>
    [...walk(token)].flatMap((inside) =>
      "tokens" in inside ? [] : figuresOf((inside as { readonly text?: string }).text ?? ""),
    ),
  );
  return [...new Set(names.map((name) => name.split("|")[0] ?? ""))].sort();
}
