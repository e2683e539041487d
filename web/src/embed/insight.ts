/**
 * How a snippet's result was answered: a sentence and the figures of that run, and on demand its plan, stage by stage.
 * Fetched with the first result that has a plan.
 *
 * Invariants: the figures are those which the engine counted while the command ran; the sentence is the page's own
 * (`state/insight.ts`); plain elements, so that keyboard and screen reader know them.
 */
import { sentencesOf } from "../messages/xray/insight-sentence.ts";
import { insightMessagesOf } from "../messages/xray/insight-words.ts";
import { planMessagesOf } from "../messages/xray/plan-words.ts";
import type { ScriptCursor } from "../protocol/run.ts";
import { decodeObservation } from "../state/decode.ts";
import { countedIn, readInsight } from "../state/insight.ts";
import { ofRun, readPlan, type Plan } from "../state/plan.ts";
import { flowOf } from "../state/plan-flow.ts";
import type { Language } from "../state/settings.ts";
import { make } from "./results.ts";

type Count = (value: number | null) => string;

/** The line of a cursor's run; null where it was not observed, or has no plan. `opened`: the plan is open at first. */
export function drawInsight(cursor: ScriptCursor, language: Language, opened: boolean): HTMLElement | null {
  const seen = decodeObservation(cursor);
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
      make("span", "verdict", sentencesOf(reading, words, count).join(" ")),
      make("span", "figures", figures.join(" · ")),
    ),
  );
  const fill = (): void => {
    if (details.children.length === 1) details.append(drawStages(plan, language, count));
  };
  details.addEventListener("toggle", fill);
  if (opened) {
    fill();
    details.open = true;
  }
  return details;
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
