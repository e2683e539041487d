/**
 * Draws a script's value: as the shell prints it, as a tree, as a table, or as Extended JSON. Fetched by the first Run.
 *
 * Invariants: plain elements that work without scripts once drawn (a tree is `<details>`, so keyboard and screen reader
 * know it); a part of a tree is made when it is opened; no value is drawn as HTML.
 */
import type { CursorBatch } from "../client/client.ts";
import { decodeValue } from "../client/values.ts";
import { decode } from "../codec/decode.ts";
import type { StatementPlace } from "../shell/rewritten.ts";
import type { RunOutcome, ScriptCursor, ScriptError, ScriptValue, StatementOutcome } from "../protocol/run.ts";
import { formatTop } from "../shell/format.ts";
import { worded } from "../messages/syntax/told.ts";
import { decodeObservation } from "../state/decode.ts";
import { addBatch, type Fetched } from "../state/fetched.ts";
import type { Language } from "../state/settings.ts";
import { absent, isTabular, layOut } from "../state/table.ts";
import { familyOf, fieldOf, isNested, partsOf, preview, typeOf, wordCell, wordLeaf } from "../state/values.ts";
import { cutText, lineCharacters, longText, pieceAt, type LongText } from "../state/long-text.ts";
import { quotedPieces } from "../state/right-to-left.ts";
import { wordStart } from "../state/wording.ts";
import { snippetViews, type SnippetView } from "./attributes.ts";
import { differenceOf, type DifferenceLine } from "./expected.ts";
import { highlighted } from "./highlight.ts";
import type { Finished } from "./backend.ts";
import type { Shown } from "./output.ts";
import type { Words } from "./words.ts";

export { hasMap, placeMap } from "./map.ts";

/** A script's value, read. */
export interface ResultValue {
  /** A value that can be drawn as more than text; null when the shell itself worded the value, or there is none. */
  readonly values: readonly unknown[] | null;
  readonly isCursor: boolean;
  readonly text: string;
  /** The batch to ask for more of; null when there is no more. */
  readonly batch: CursorBatch | null;
  /** The cursor as it came, with the observation of its command; null for another value. */
  readonly cursor: ScriptCursor | null;
  /** The statement that gave a value which is no cursor, as the run told it; null where that is not known. */
  readonly plain: PlainValue | null;
  /** Whether there may be a plan to tell of: of the cursor's or the statement's command, or the value is one. */
  readonly isTold: boolean;
  /** The script that gave it; null where that is not known. */
  readonly from: ResultScript | null;
  /** The engine's counters for the batches after the first; null where there are none, or they were not observed. */
  readonly fetched: Fetched | null;
}

/** The script that gave a value. */
export interface ResultScript {
  readonly source: string;
  /** The statement of the value. */
  readonly place: StatementPlace;
  /** Whether the script wrote data, so that a second run would write it again. */
  readonly wrote: boolean;
}

/** A value that is no cursor, with its statement. */
export interface PlainValue {
  readonly value: ScriptValue;
  readonly statement: StatementOutcome;
}

/** The fields of a value that is neither a cursor nor a plan. */
const plain = {
  isCursor: false,
  batch: null,
  cursor: null,
  plain: null,
  isTold: false,
  from: null,
  fetched: null,
} as const;

/** The value of a script's run. Where its statement has only one command, it comes with that command's observation. */
export function readOutcome(
  source: string,
  {
    value,
    statements,
    statementsLeftOut,
    failed,
  }: Pick<RunOutcome, "value" | "statements" | "statementsLeftOut" | "failed">,
): ResultValue {
  const statement = statements.find((one) => one.value.kind === "result");
  const wrote =
    statementsLeftOut > 0 ||
    [...statements, ...(failed === null ? [] : [failed])].some((one) => one.written.length > 0);
  const from = statement === undefined ? null : { source, place: statement, wrote };
  const read = { ...readValue(value), from };
  if (read.isCursor || read.isTold || statement?.alone === undefined) return read;
  return { ...read, plain: { value, statement }, isTold: true };
}

export function readValue(value: ScriptValue): ResultValue {
  switch (value.kind) {
    case "none":
      return { ...plain, values: null, text: "" };
    case "text":
      return { ...plain, values: null, text: value.text };
    case "value": {
      const decoded = decodeValue(value.bytes);
      const values = Array.isArray(decoded) ? decoded : [decoded];
      const text = formatTop(decoded);
      const isTold = fieldOf(decoded, "queryPlanner") !== undefined || fieldOf(decoded, "stages") !== undefined;
      return { ...plain, values: isNested(decoded) ? values : null, text, isTold };
    }
    case "cursor": {
      const { cursor } = decode(value.reply, { numbers: "typed" }) as unknown as {
        cursor: { firstBatch?: object[]; nextBatch?: object[]; id: unknown; ns: string };
      };
      const documents = cursor.firstBatch ?? cursor.nextBatch ?? [];
      const batch = { documents, namespace: cursor.ns, cursorId: BigInt(String(cursor.id)) };
      return cursorValue(documents, batch, value, null);
    }
  }
}

/** A cursor's value as far as its batches were fetched, of which this is the last. */
function cursorValue(
  values: readonly unknown[],
  batch: CursorBatch,
  cursor: ScriptCursor | null,
  fetched: Fetched | null,
): ResultValue {
  return {
    values,
    isCursor: true,
    text: values.length === 0 ? "" : formatTop(values),
    batch: batch.cursorId === 0n ? null : batch,
    cursor,
    plain: null,
    isTold: cursor?.observed !== undefined,
    from: null,
    fetched,
  };
}

/** The value with one more batch of its cursor. */
export function withBatch({ values, cursor, from, fetched }: ResultValue, batch: CursorBatch): ResultValue {
  const first = cursor === null ? null : (decodeObservation(cursor)?.observed ?? null);
  const sum = addBatch(fetched, first, batch.observed, batch.documents.length);
  return { ...cursorValue([...(values ?? []), ...batch.documents], batch, cursor, sum), from };
}

/** A part of a run's output, in the order of its statements. */
export type Part =
  | { readonly kind: "printed"; readonly lines: readonly string[] }
  /** The value of a statement before the result. */
  | { readonly kind: "value"; readonly line: number; readonly text: string }
  /** The place of the result, which is drawn by itself. */
  | { readonly kind: "result" };

/** The parts of a run, as mongosh would print them. */
export function partsOfRun({
  value,
  statements,
  printed,
  leftOut,
}: Pick<RunOutcome, "value" | "statements" | "printed" | "leftOut">): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  const print = (to: number): void => {
    const lines = printed.slice(Math.max(0, from - leftOut), Math.max(0, to - leftOut));
    if (lines.length > 0) parts.push({ kind: "printed", lines });
    from = to;
  };
  for (const statement of statements) {
    print(statement.printedUntil);
    if (statement.value.kind === "result") parts.push({ kind: "result" });
    else if (statement.value.kind !== "left-out") {
      const { text } = readValue(statement.value);
      if (text !== "") parts.push({ kind: "value", line: statement.line, text });
    }
  }
  print(Infinity);
  // A run that was lost tells its value alone.
  if (value.kind !== "none" && !parts.some(({ kind }) => kind === "result")) parts.push({ kind: "result" });
  return parts;
}

/** The whole output of a run as text: the printed lines and values of its statements, in order, then its error. */
export function outputText(
  parts: readonly Part[],
  result: Pick<ResultValue, "text"> | null,
  error: Pick<ScriptError, "text"> | null,
): string {
  const texts = parts.flatMap((part): readonly string[] => {
    if (part.kind === "printed") return part.lines;
    const text = part.kind === "value" ? part.text : (result?.text ?? "");
    return text === "" ? [] : [text];
  });
  return [...texts, ...(error === null ? [] : [error.text])].join("\n");
}

/** The value of a statement before the result: a line of it, or all in a fold. */
export function drawEarlier(line: number, text: string, words: Words): HTMLElement {
  const label = make("span", "number", words.line(line));
  if (!text.includes("\n")) return make("div", "earlier", label, block(text, true, words));
  const short = text.slice(0, 1000).replace(/\s+/g, " ");
  const summary = make("summary", "", label, make("code", "line", highlighted(short.slice(0, 200))));
  return make("details", "earlier", summary, block(text, true, words));
}

/** A script that ended, as the page shows it and as the check of built pages reads it. */
export interface Read extends Pick<Shown, "value" | "parts" | "difference" | "matches"> {
  /** Everything that it shows, as text. */
  readonly text: string;
  /** Its error, as the reader is told it. */
  readonly told: ScriptError | null;
}

/** Reads a script that ended. `expected`: the author's output of it; null where the two are not compared. */
export async function readFinished(
  { stage, source, outcome }: Finished,
  expected: string | null,
  language: Language,
): Promise<Read> {
  const { error } = outcome;
  const [value, parts] = [readOutcome(source, outcome), partsOfRun(outcome)];
  const told = error === null ? null : await worded(error, source, language);
  const text = outputText(parts, value, told);
  // Of a script that ran before the snippet's own, the page shows the error alone.
  if (stage !== "script") return { value: null, parts: null, difference: null, matches: null, text, told };
  const difference = expected === null ? null : differenceOf(expected, text);
  return { value, parts, difference, matches: expected === null ? null : difference === null, text, told };
}

/** The lines in which the page's output and the real one differ, and those around. */
export function drawDifference(difference: readonly DifferenceLine[], words: Words): HTMLElement {
  const lines = difference.map(({ kind, text }) =>
    kind === "same"
      ? make("div", "same", cutText(text, lineCharacters))
      : make(
          kind === "missing" ? "del" : "ins",
          "",
          make("span", "unseen", `${words[kind]}: `),
          cutText(text, lineCharacters),
        ),
  );
  return make("div", "difference", make("p", "note", words.difference), make("div", "lines", ...lines));
}

/** Whether a value has more than one view. */
export function hasViews({ values }: ResultValue): boolean {
  return values !== null && values.length > 0 && values.some(isNested);
}

/** The value's part of the output. */
export function drawValue(value: ResultValue, view: SnippetView, words: Words): Node {
  const { values } = value;
  if (values === null || view === "text" || view === "map" || !hasViews(value))
    return block(value.text, values !== null, words);
  if (view === "json")
    return block(wordStart("relaxed", values.length === 1 && !value.isCursor ? values[0] : values), true, words);
  if (view === "table" && isTabular(values)) return drawTable(values, words);
  return drawTree(values, words);
}

/** An element with its class and children. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className !== "") element.className = className;
  element.append(...children);
  return element;
}

/** A value's words; a text in them that is written from right to left turns no more than itself. */
function isolated(text: string): readonly (Node | string)[] {
  return quotedPieces(text).map((piece, at) => (at % 2 === 0 ? piece : make("bdi", "", piece)));
}

/** The ways to show a value, of which one is pressed. */
export function drawViews(
  words: Words,
  chosen: SnippetView,
  hasMap: boolean,
  choose: (view: SnippetView) => void,
): HTMLElement {
  const views = make("div", "views");
  views.setAttribute("part", "views");
  views.setAttribute("role", "group");
  views.setAttribute("aria-label", words.views);
  for (const view of snippetViews.filter((one) => hasMap || one !== "map")) {
    const button = make("button", "", words[view]);
    button.type = "button";
    button.setAttribute("aria-pressed", String(view === chosen));
    button.addEventListener("click", () => choose(view));
    views.append(button);
  }
  return views;
}

/** Lines that a script printed. */
export function drawPrinted(lines: readonly string[], words: Words): HTMLElement {
  return block(lines.join("\n"), false, words, "printed");
}

function block(text: string | LongText, coloured: boolean, words: Words, look = "text"): HTMLElement {
  const long = typeof text === "string" ? longText(text) : text;
  const pre = make("pre", look, ...(coloured ? [highlighted(long.start)] : isolated(long.start)));
  if (!long.isWhole) addRest(pre, long, words);
  return pre;
}

/** Pieces of a long text that are added in one frame. */
const piecesInFrame = 64;

/** Puts a button behind the beginning of a long text that draws all of it in its place. */
function addRest(into: HTMLElement, text: LongText, words: Words): void {
  const more = make("button", "quiet", words.more);
  more.type = "button";
  more.addEventListener("click", () => {
    into.tabIndex = 0;
    into.focus({ preventScroll: true });
    into.replaceChildren();
    const whole = text.whole();
    let end = 0;
    // A few pieces in each frame, of which those out of sight are not laid out.
    const draw = (): void => {
      for (let count = 0; count < piecesInFrame && end < whole.length; count++) {
        const piece = pieceAt(whole, end);
        end = piece.end;
        into.append(make("span", "piece", piece.text));
      }
      if (end < whole.length && into.isConnected) requestAnimationFrame(draw);
    };
    draw();
  });
  into.append(more);
}

/** Parts of one value that are drawn at first, and with each press of "more". */
const STEP = 100;

function drawTree(values: readonly unknown[], words: Words): HTMLElement {
  const tree = make("div", "tree");
  addParts(
    tree,
    values.map((value, index) => [String(index), value] as const),
    words,
    true,
  );
  return tree;
}

/** `open` opens the first of them. */
function addParts(
  into: HTMLElement,
  parts: readonly (readonly [string, unknown])[],
  words: Words,
  open: boolean,
): void {
  for (const [index, [name, value]] of parts.slice(0, STEP).entries())
    into.append(drawPart(name, value, words, open && index === 0));
  const rest = parts.slice(STEP);
  if (rest.length === 0) return;
  const more = make("button", "quiet", words.more);
  more.type = "button";
  more.addEventListener("click", () => {
    more.remove();
    const before = into.children.length;
    addParts(into, rest, words, false);
    into.children[before]?.querySelector<HTMLElement>("summary")?.focus();
  });
  into.append(more);
}

function drawPart(name: string, value: unknown, words: Words, open: boolean): HTMLElement {
  const type = typeOf(value);
  const label = [make("span", "name", name), ": "];
  const typeName = make("span", "type", type);
  if (!isNested(value) || partsOf(value).length === 0) {
    const text = longText(isNested(value) ? preview(value) : wordLeaf(value), lineCharacters);
    const shown = make("span", familyOf(type), ...isolated(text.start));
    if (!text.isWhole) addRest(shown, text, words);
    return make("div", "part", make("span", "line", ...label, shown), typeName);
  }
  const details = make("details", "part");
  details.append(
    make(
      "summary",
      "",
      make("span", "line", ...label, make("span", "preview", ...isolated(preview(value, 160)))),
      typeName,
    ),
  );
  const fill = (): void => {
    if (details.children.length > 1) return;
    const inside = make("div", "inside");
    addParts(inside, partsOf(value), words, false);
    details.append(inside);
  };
  details.addEventListener("toggle", fill);
  if (open) {
    fill();
    details.open = true;
  }
  return details;
}

/** Characters of a table's cell. */
const longestCell = 200;
const cutCell = (text: string): string => (text.length > longestCell ? `${cutText(text, longestCell)}…` : text);

function drawTable(values: readonly unknown[], words: Words): HTMLElement {
  const { columns, rows, omittedColumns } = layOut(values);
  const heads = columns.map(({ name, types }) => {
    const head = make("th", "", name, make("span", "type", types.join(", ")));
    head.setAttribute("scope", "col");
    return head;
  });
  const body = make("tbody", "");
  const more = make("button", "quiet", words.more);
  more.type = "button";
  const add = (): void => {
    const from = body.children.length;
    for (const row of rows.slice(from, from + STEP))
      body.append(
        make(
          "tr",
          "",
          ...row.map((cell) =>
            cell === absent
              ? make("td", "absent", make("span", "unseen", words.absent))
              : make("td", familyOf(typeOf(cell)), ...isolated(cutCell(wordCell(cell)))),
          ),
        ),
      );
    if (body.children.length < rows.length) return;
    if (from > 0) scroller.focus({ preventScroll: true });
    more.remove();
  };
  const table = make("table", "", make("thead", "", make("tr", "", ...heads)), body);
  const scroller = make("div", "scroller", table);
  scroller.tabIndex = 0;
  scroller.setAttribute("role", "group");
  scroller.setAttribute("aria-label", words.table);
  const parts: HTMLElement[] = [scroller];
  if (rows.length > STEP) parts.push(more);
  if (omittedColumns > 0) parts.push(make("p", "note", words.omitted(omittedColumns)));
  more.addEventListener("click", add);
  add();
  return parts.length === 1 ? scroller : make("div", "", ...parts);
}
