/**
 * Draws the printed lines and the value of a lesson's script, with the line that tells how it was answered and the
 * lines on what is likely to be wrong. The drawing is that of `<quire-snippet>`.
 *
 * Invariant: draws one run's output into nodes; the caller must drop the nodes of a run that a newer one has overtaken.
 */
import type { CursorBatch } from "../../client/client.ts";
import type { SnippetView } from "../../embed/attributes.ts";
import { drawDoubts, type MendingPlace } from "../../embed/doubts.ts";
import { drawInsight, drawMapOf } from "../../embed/insight.ts";
import {
  drawEarlier,
  drawValue,
  drawViews,
  hasMap,
  hasViews,
  make,
  partsOfRun,
  placeMap,
  readOutcome,
  withBatch,
  type ResultValue,
} from "../../embed/results.ts";
import { wordsFor } from "../../embed/words.ts";
import type { Made } from "../../lessons/course/run.ts";
import type { ScriptError } from "../../protocol/run.ts";
import type { Commander } from "../../state/data/ask.ts";
import type { Language } from "../../state/settings.ts";

export interface OutputPlace extends Commander, MendingPlace {
  readonly language: Language;
  /** How values are drawn. */
  readonly view: SnippetView;
  choose(view: SnippetView): void;
  more(batch: CursorBatch): Promise<CursorBatch>;
  goTo(line: number, column: number): void;
}

/** Everything that a run showed, in order; its error as the reader is told it. */
export function drawOutput(made: Made, error: ScriptError | null, place: OutputPlace): readonly Node[] {
  const words = wordsFor(place.language);
  const { outcome, printed, leftOut } = made;
  const nodes: Node[] = [];
  if (leftOut > 0) nodes.push(make("p", "note", words.leftOut(leftOut)));
  for (const part of partsOfRun({ ...outcome, printed, leftOut })) {
    if (part.kind === "printed") nodes.push(make("pre", "printed", part.lines.join("\n")));
    else if (part.kind === "value") nodes.push(drawEarlier(part.line, part.text, words));
    else nodes.push(drawResult(readOutcome(made.source, outcome), place));
  }
  if (error !== null) {
    const box = make("div", "error", error.text);
    box.setAttribute("role", "alert");
    const { line } = error;
    if (line !== null) {
      const button = make("button", "place", words.place(line, error.column ?? 1));
      button.type = "button";
      button.addEventListener("click", () => place.goTo(line, error.column ?? 1));
      box.append(button);
    }
    nodes.push(box);
  } else if (nodes.length === 0) nodes.push(make("p", "note", words.nothing));
  return nodes;
}

function drawResult(value: ResultValue, place: OutputPlace): HTMLElement {
  const words = wordsFor(place.language);
  const box = make("div", "value");
  const parts: Node[] = [];
  const engine = { reader: place, changer: null, touchedBy: () => null };
  const told = drawInsight(value, place.language, false, engine);
  if (told !== null) parts.push(told);
  const isPlaced = hasMap(value);
  const view = place.view === "map" && !isPlaced ? "text" : place.view;
  if (hasViews(value)) parts.push(drawViews(words, view, isPlaced, place.choose));
  if (value.text !== "") {
    const asText = (): Node => drawValue(value, view, words);
    const drawn = view === "map" ? placeMap(drawMapOf(value, place.language, engine), asText) : asText();
    parts.push(make("div", "result", drawn));
  } else if (value.isCursor) parts.push(make("p", "note", words.empty));
  if (value.batch !== null) {
    const { batch } = value;
    const more = make("button", "quiet", words.more);
    more.type = "button";
    more.addEventListener("click", () => {
      more.disabled = true;
      void place.more(batch).then(
        (next) => {
          const drawn = drawResult(withBatch(value, next), place);
          box.replaceWith(drawn);
          drawn.querySelector<HTMLElement>(".result + button")?.focus();
        },
        (error: unknown) => box.append(make("div", "error", error instanceof Error ? error.message : String(error))),
      );
    });
    parts.push(more);
  }
  box.append(...parts);
  void drawDoubts(value, place, place.language, place).then(
    (doubts) => doubts !== null && box.prepend(doubts),
    () => undefined,
  );
  return box;
}
