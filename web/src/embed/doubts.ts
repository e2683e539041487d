/**
 * What is likely to be wrong in the statement that gave a snippet's result, each with a button that mends the script,
 * and why nothing was found. Fetched with the first result.
 *
 * Invariants: judged once a value, by the engine that ran it (`state/doubts`); the script is changed only where it
 * still is as it ran; plain elements, so that keyboard and screen reader know them.
 */
import { decodeValue } from "../client/values.ts";
import { coded, codedPieces } from "../messages/coded.ts";
import { doubtLines, wordAlone, wordChange, wordCount, wordTogether } from "../messages/doubts/doubt-sentence.ts";
import { doubtMessagesOf, type DoubtMessages } from "../messages/doubts/words.ts";
import { decodeCommand } from "../state/decode.ts";
import type { Commander } from "../state/data/ask.ts";
import { isDoubted, undoubted, type Change, type Judged, type Why } from "../state/doubts/doubt.ts";
import { judge } from "../state/doubts/judge.ts";
import { isByFunction } from "../state/doubts/judge-statements.ts";
import { mendingOf } from "../state/doubts/places.ts";
import { sourceDoubts } from "../state/doubts/source-doubts.ts";
import { mended } from "../state/mending.ts";
import { foundNothing } from "../state/missed.ts";
import type { Language } from "../state/settings.ts";
import { sourceOf } from "../state/statements.ts";
import { make, type ResultValue } from "./results.ts";

/** The script of a result, to be mended. */
export interface Mended {
  /** The script that ran; null where it is not known. */
  readonly ran: string | null;
  /** The script as it stands now; null where it cannot be changed. */
  readonly place: { script: string | null };
}

const judgements = new WeakMap<object, Promise<Judged>>();

/** What is likely to be wrong in the command behind a value. */
export function judgedOf(value: ResultValue, commander: Commander, source: string | null = null): Promise<Judged> {
  const key = value.cursor ?? value.plain?.value;
  const alone = value.cursor ?? value.plain?.statement.alone;
  if (key == null || alone == null) return Promise.resolve(undoubted);
  const before = judgements.get(key);
  if (before !== undefined) return before;
  const command = decodeCommand(alone);
  const written =
    source !== null && value.place !== null && isByFunction(command) ? sourceDoubts(sourceOf(source, value.place)) : [];
  const asked = judge(commander, command, isEmpty(value))
    .catch(() => undoubted)
    .then((judged) => ({ ...judged, doubts: [...written, ...judged.doubts] }));
  judgements.set(key, asked);
  return asked;
}

function isEmpty({ cursor, values, plain }: ResultValue): boolean {
  if (cursor !== null) return (values?.length ?? 0) === 0;
  return plain?.value.kind === "value" && foundNothing({ kind: "value", value: decodeValue(plain.value.bytes) });
}

/** The lines on a value; null where there is nothing to say. */
export async function drawDoubts(
  value: ResultValue,
  commander: Commander,
  language: Language,
  script: Mended | null,
): Promise<HTMLElement | null> {
  const judged = await judgedOf(value, commander, script?.ran ?? null);
  if (!isDoubted(judged)) return null;
  const t = doubtMessagesOf(language);
  const count = (number: number): string => new Intl.NumberFormat(language).format(number);
  const box = make("section", "doubts");
  box.setAttribute("aria-label", t["title"]);
  const changes = judged.doubts.flatMap(({ change }) => change ?? []);
  for (const [sentence, own] of doubtLines(judged.doubts, t, count)) {
    const line = make("p", "", ...drawCoded(sentence));
    for (const change of own)
      line.append(...buttonOf([change], t["mend"](coded(wordChange(change))), value, script, t));
    box.append(line);
  }
  if (changes.length > 1) box.append(make("p", "", ...buttonOf(changes, t["mend.all"], value, script, t)));
  if (judged.why !== null) box.append(drawWhy(judged.why, t, count));
  return box;
}

/** A button that makes the changes; none where they have no place in the script. */
function buttonOf(
  changes: readonly Change[],
  text: string,
  { place }: ResultValue,
  script: Mended | null,
  t: DoubtMessages,
): readonly (Node | string)[] {
  const ran = script?.ran ?? null;
  if (script === null || ran === null || place === null || script.place.script === null) return [];
  const mending = mendingOf(ran, place, changes);
  if (mending === null) return [];
  const button = make("button", "quiet", ...drawCoded(text));
  button.type = "button";
  const said = make("span", "");
  said.setAttribute("role", "status");
  button.addEventListener("click", () => {
    const now = mended(script.place.script ?? "", ran, { line: 0, column: 0 }, mending);
    if (now === null) said.textContent = t["gone"];
    else script.place.script = now;
  });
  return [" ", button, " ", said];
}

function drawWhy(why: Why, t: DoubtMessages, count: (number: number) => string): HTMLElement {
  const items = why.conditions.map((one) =>
    make(
      "li",
      one.count === 0 ? "none" : "",
      make("code", "", one.text),
      make("span", "", wordCount(one.count, t, count)),
    ),
  );
  const together = wordTogether(why, t, count);
  const list = make("ul", "", ...items);
  const head = wordAlone(why, t, count);
  list.setAttribute("aria-label", head);
  return make("div", "alone", make("p", "", head), list, ...(together === "" ? [] : [make("p", "", together)]));
}

/** A sentence with its names as code. */
const drawCoded = (sentence: string): readonly (Node | string)[] =>
  codedPieces(sentence).map((piece, index) => (index % 2 === 0 ? piece : make("code", "", piece)));
