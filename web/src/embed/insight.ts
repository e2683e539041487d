/**
 * How a snippet's result was answered: a sentence and the figures of that run, and on demand its plan as a flow,
 * or as a table where the flow cannot be had. Fetched with the first result that has a plan.
 *
 * Invariants: the figures are those which the engine counted while the command ran; the sentence is the page's own
 * (`state/insight.ts`); plain elements, so that keyboard and screen reader know them.
 */
import { joinSentences } from "../messages/sentences.ts";
import { sentencesOf } from "../messages/xray/insight-sentence.ts";
import { insightMessagesOf } from "../messages/xray/insight-words.ts";
import { planMessagesOf } from "../messages/xray/plan-words.ts";
import type { Commander } from "../state/data/ask.ts";
import { decodeObservation } from "../state/decode.ts";
import { countedIn, readInsight } from "../state/insight.ts";
import { ofRun, readPlan, type Plan } from "../state/plan.ts";
import { flowOf } from "../state/plan-flow.ts";
import type { Language } from "../state/settings.ts";
import { make, type ResultValue } from "./results.ts";
import type { SnippetXray } from "./snippet-xray.ts";

type Count = (value: number | null) => string;

/** What is drawn of a cursor, or of a plan that is itself the value. */
interface Drawn {
  readonly language: Language;
  readonly opened: boolean;
  readonly element: HTMLElement;
  /** Documents that are shown. */
  given: number;
  flow: SnippetXray | null;
}

/** Kept, so that a plan stays open when more is shown of the result, or the same in another way. */
const drawn = new WeakMap<object, Drawn>();

/**
 * The line of a cursor's run, or of an explain; null where there is no plan. `opened`: it is open at first.
 * `commander`: the engine of a lesson, which drawings only read; null for the one of the page's snippets.
 */
export function drawInsight(
  { cursor, values }: Pick<ResultValue, "cursor" | "values">,
  language: Language,
  opened: boolean,
  commander: Commander | null = null,
): HTMLElement | null {
  const explain: unknown = cursor === null ? values?.[0] : null;
  const key = cursor ?? explain;
  if (typeof key !== "object" || key === null) return null;
  const given = values?.length ?? 0;
  const before = drawn.get(key);
  if (before?.language === language && before.opened === opened) {
    before.given = given;
    if (before.flow !== null) before.flow.given = given;
    return before.element;
  }
  const seen = cursor === null ? { explain, observed: null } : decodeObservation(cursor);
  const counted = countedIn(seen?.observed);
  const plan = ofRun(seen === null ? null : readPlan(seen.explain), counted);
  if (plan === null) return null;
  const words = insightMessagesOf(language);
  const numbers = new Intl.NumberFormat(language);
  const count: Count = (value) => (value === null ? "–" : numbers.format(value));
  const reading = readInsight(plan, counted);
  const figures = [
    reading.keysExamined === null || reading.keysExamined === 0
      ? null
      : words["figure.keys"](count(reading.keysExamined)),
    reading.documentsExamined === null ? null : words["figure.documents"](count(reading.documentsExamined)),
    reading.pagesRead === null ? null : words["figure.pages"](count(reading.pagesRead)),
  ].filter((figure) => figure !== null);
  const details = make("details", `insight ${reading.isWrong ? "wrong" : ""}`);
  details.append(
    make(
      "summary",
      "",
      make("span", "verdict", joinSentences(sentencesOf(reading, words, count))),
      make("span", "figures", figures.join(" · ")),
    ),
  );
  const now: Drawn = { language, opened, element: details, given, flow: null };
  drawn.set(key, now);
  let begun = false;
  const fill = async (): Promise<void> => {
    if (begun) return;
    begun = true;
    try {
      const { drawXray } = await import("./xray.ts");
      const flow = await drawXray({ plan, suggestion: reading.suggestion, cursor }, language, commander);
      flow.given = now.given;
      now.flow = flow;
      details.append(flow);
    } catch {
      // Its code cannot be had, or the page's policies do not let Lit make markup: the figures are there all the same.
      details.append(drawStages(plan, language, count));
    }
  };
  details.addEventListener("toggle", () => {
    void fill();
    makeRoom(details);
  });
  if (opened) {
    void fill();
    details.open = true;
  }
  return details;
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
