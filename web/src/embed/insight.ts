/**
 * How a snippet's result was answered: a sentence and the figures of that run, and on demand its plan as a flow,
 * or as a table where the flow cannot be had. Fetched with the first result that has a plan.
 *
 * Invariants: the figures are those which the engine counted while the command ran; the sentence is the page's own
 * (`state/insight.ts`); plain elements, so that keyboard and screen reader know them.
 */
import { joinSentences } from "../messages/sentences.ts";
import { documentsWord, pagesWord, sentencesOf } from "../messages/xray/insight-sentence.ts";
import { insightMessagesOf } from "../messages/xray/insight-words.ts";
import { planMessagesOf } from "../messages/xray/plan-words.ts";
import { decodeCommand, decodeObservation } from "../state/decode.ts";
import { countedIn, type Counted } from "../state/insight.ts";
import { mapSourceOf } from "../state/map/source.ts";
import { readPlain, type PlainRead } from "../state/plain-read.ts";
import { readPlan, type Plan } from "../state/plan.ts";
import { flowOf } from "../state/plan-flow.ts";
import type { Language } from "../state/settings.ts";
import { readSoFar, type SoFar } from "../state/so-far.ts";
import { make, type ResultValue } from "./results.ts";
import type { SnippetXray } from "./snippet-xray.ts";
import type { Drawn, DrawnEngine } from "./xray.ts";

type Count = (value: number | null) => string;

/** Kept, so that a plan stays open when more is shown of the result, or the same in another way. */
const drawn = new WeakMap<object, Line>();

/**
 * The line of a cursor's run, of a plain value's, or of an explain; null where there is no plan. `opened`:
 * it is open at first. `engine`: where the value came from.
 */
export function drawInsight(
  value: ResultValue,
  language: Language,
  opened: boolean,
  engine: DrawnEngine,
): HTMLElement | null {
  const { cursor, values } = value;
  const explain: unknown = cursor === null ? values?.[0] : null;
  const key = cursor ?? value.plain?.value ?? explain;
  if (typeof key !== "object" || key === null) return null;
  const before = drawn.get(key);
  if (before?.language === language && before.opened === opened) {
    before.show(value);
    return before.details;
  }
  const read = value.plain === null ? null : readPlain(value.plain.statement);
  const seen = cursor === null ? (read ?? { explain, observed: null }) : decodeObservation(cursor);
  const plan = seen === null ? null : readPlan(seen.explain);
  if (plan === null) return null;
  const line = new Line(plan, countedIn(seen?.observed), language, opened, read);
  drawn.set(key, line);
  line.show(value);
  const command = cursor ?? (read?.command == null ? null : { command: read.command });
  line.listen({ command, value: cursor ?? value.plain?.value ?? null }, engine);
  // Where that cannot be learnt no index is advised; code that cannot be had is told where doubts are drawn.
  line.judge(value, engine).catch(() => undefined);
  return line.details;
}

/** A result's places as a map, with the cells that its plan names. */
export async function drawMapOf(
  { values, cursor, batch, fetched }: ResultValue,
  language: Language,
  engine: DrawnEngine,
): Promise<HTMLElement> {
  const seen = cursor === null ? null : decodeObservation(cursor);
  const source = mapSourceOf({
    values: values ?? [],
    command: cursor === null ? null : decodeCommand(cursor),
    explain: seen?.explain ?? null,
    observed: seen?.observed ?? null,
    fetched,
    isEnd: batch === null,
    indexes: [],
  });
  if (source === null) throw new Error("there are no places");
  const { drawGeoMap } = await import("./xray.ts");
  return drawGeoMap(source, language, engine);
}

/** The line of the insight, with the plan that opens below it. */
class Line {
  readonly details = make("details", "insight");
  readonly language: Language;
  readonly opened: boolean;
  readonly #first: Plan;
  readonly #read: PlainRead | null;
  readonly #counted: Counted | null;
  readonly #verdict = make("span", "verdict");
  readonly #figures = make("span", "figures");
  #shown: SoFar | null = null;
  #given = 0;
  #isEnded = false;
  #isAdvised = false;
  #flow: SnippetXray | null = null;
  #begun = false;

  constructor(first: Plan, counted: Counted | null, language: Language, opened: boolean, read: PlainRead | null) {
    this.#first = first;
    this.#read = read;
    this.#counted = counted;
    this.language = language;
    this.opened = opened;
    this.details.append(make("summary", "", this.#verdict, this.#figures));
  }

  /** Shows the figures of all batches that are drawn. */
  show({ values, batch, fetched }: ResultValue): void {
    const read = this.#read;
    this.#isEnded = read?.ended ?? batch === null;
    const shown = readSoFar(this.#first, this.#counted, read?.fetched ?? fetched, this.#isEnded);
    const { reading } = shown;
    const words = insightMessagesOf(this.language);
    const count = this.#count;
    const figures = [
      reading.keysExamined === null || reading.keysExamined === 0
        ? null
        : words["figure.keys"](count(reading.keysExamined)),
      reading.documentsExamined === null ? null : documentsWord(reading, words)(count(reading.documentsExamined)),
      reading.pagesRead === null ? null : pagesWord(reading, words)(count(reading.pagesRead)),
    ].filter((figure) => figure !== null);
    this.#verdict.textContent = joinSentences(sentencesOf(reading, words, count));
    this.#figures.textContent = figures.join(" · ");
    this.details.classList.toggle("wrong", reading.isWrong);
    this.#shown = shown;
    this.#given = values?.length ?? 0;
    this.#tell();
  }

  /** Learns whether the command is in doubt: no index is advised for one that is, nor before that is known. */
  async judge(value: ResultValue, { reader }: DrawnEngine): Promise<void> {
    const { judgedOf } = await import("./doubts.ts");
    const judged = await judgedOf(value, reader);
    this.#isAdvised = judged.doubts.length === 0;
    this.#tell();
  }

  readonly #count: Count = (value) => (value === null ? "–" : new Intl.NumberFormat(this.language).format(value));

  #tell(): void {
    if (this.#flow === null || this.#shown === null) return;
    const { plan, reading, isFirstOnly } = this.#shown;
    const suggestion = this.#isAdvised ? reading.suggestion : null;
    Object.assign(this.#flow, { plan, suggestion, isFirstOnly, given: this.#given, isEnded: this.#isEnded });
  }

  /** Draws the plan when it is opened. */
  listen(of: Drawn, engine: DrawnEngine): void {
    this.details.addEventListener("toggle", () => {
      void this.#fill(of, engine);
      makeRoom(this.details);
    });
    if (!this.opened) return;
    void this.#fill(of, engine);
    this.details.open = true;
  }

  async #fill(of: Drawn, engine: DrawnEngine): Promise<void> {
    if (this.#begun) return;
    this.#begun = true;
    const plan = this.#shown?.plan ?? this.#first;
    try {
      const { drawXray } = await import("./xray.ts");
      const flow = await drawXray(plan, of, this.language, engine);
      this.#flow = flow;
      this.#tell();
      this.details.append(flow);
    } catch {
      // The drawing's code cannot be had, or the page's policies do not let Lit make markup: the figures are shown
      // without it.
      this.details.append(drawStages(plan, this.language, this.#count));
    }
  }
}

/** An open plan is not to leave a line or two for the result below it. */
function makeRoom(details: HTMLDetailsElement): void {
  const output = details.closest<HTMLElement>(".output");
  if (output === null || output.closest(".tall") !== null) return;
  output.style.setProperty("max-block-size", details.open ? "calc(44 * var(--rem))" : "");
}

/** The plan's stages in the order in which documents pass. */
function drawStages(plan: Plan, language: Language, count: Count): HTMLElement {
  const p = planMessagesOf(language);
  const head = (text: string): HTMLElement => {
    const cell = make("th", "", text);
    cell.setAttribute("scope", "col");
    return cell;
  };
  const rows = flowOf(plan).nodes.flatMap(({ stage, given }) => {
    if (stage === null) return [];
    const name = make("th", "", make("code", "", stage.name));
    name.setAttribute("scope", "row");
    if (stage.indexName !== null) name.append(" ", make("span", "type", stage.indexName));
    return make(
      "tr",
      "",
      name,
      make("td", "number", count(stage.keysExamined)),
      make("td", "number", count(stage.documentsExamined)),
      make("td", "number", count(given)),
    );
  });
  const columns = [p["column.stage"], p["column.keys"], p["column.documents"], p["column.given"]].map(head);
  const table = make("table", "", make("thead", "", make("tr", "", ...columns)), make("tbody", "", ...rows));
  const scroller = make("div", "scroller", table);
  scroller.tabIndex = 0;
  scroller.setAttribute("role", "group");
  scroller.setAttribute("aria-label", p["flow.table"]);
  return scroller;
}
