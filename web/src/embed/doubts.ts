/**
 * What is likely to be wrong in the statement that gave a snippet's result, each with a button that mends the script
 * and runs it again, and why nothing was found. Fetched with the first result.
 *
 * Invariants: judged once a value, by the engine that ran it (`state/doubts`); the script is changed only where it
 * still is as it ran, and is run again only where that writes nothing twice; plain elements, so that keyboard and
 * screen reader know them.
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
import type { OutputOwner } from "./output.ts";
import { make, type ResultValue } from "./results.ts";

/** The place of a script that can be mended. */
export type MendingPlace = Pick<OutputOwner, "script" | "beginsAnew" | "mend">;

const judgements = new WeakMap<object, Promise<Judged>>();

/** What is likely to be wrong in the command behind a value. */
export function judgedOf(value: ResultValue, commander: Commander): Promise<Judged> {
  const key = value.cursor ?? value.plain?.value;
  const alone = value.cursor ?? value.plain?.statement.alone;
  if (key == null || alone == null) return Promise.resolve(undoubted);
  const before = judgements.get(key);
  if (before !== undefined) return before;
  const command = decodeCommand(alone);
  const { from } = value;
  const written = from !== null && isByFunction(command) ? sourceDoubts(sourceOf(from.source, from.place)) : [];
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
  place: MendingPlace,
): Promise<HTMLElement | null> {
  const judged = await judgedOf(value, commander);
  if (!isDoubted(judged)) return null;
  const t = doubtMessagesOf(language);
  const count = (number: number): string => new Intl.NumberFormat(language).format(number);
  const box = make("section", "doubts");
  box.setAttribute("aria-label", t["title"]);
  const changes = judged.doubts.flatMap(({ change }) => change ?? []);
  for (const [sentence, own] of doubtLines(judged.doubts, t, count)) {
    const line = make("p", "", ...drawCoded(sentence));
    for (const change of own) line.append(...buttonOf([change], value, place, t));
    box.append(line);
  }
  if (changes.length > 1) box.append(make("p", "", ...buttonOf(changes, value, place, t)));
  if (judged.why !== null) box.append(drawWhy(judged.why, t, count));
  return box;
}

/** A button that makes the changes, by the name of the only one; none where they have no place in the script. */
function buttonOf(
  changes: readonly Change[],
  { from }: ResultValue,
  place: MendingPlace,
  t: DoubtMessages,
): readonly (Node | string)[] {
  if (from === null || place.script === null) return [];
  const mending = mendingOf(from.source, from.place, changes);
  if (mending === null) return [];
  const runs = place.beginsAnew || !from.wrote;
  const [only, ...more] = changes;
  const name = more.length > 0 || only === undefined ? t["mend.all"] : t["mend"](coded(wordChange(only)));
  const button = make("button", "quiet", ...drawCoded(runs ? t["mend.run"](name) : name));
  button.type = "button";
  const said = make("span", "");
  said.setAttribute("role", "status");
  button.addEventListener("click", () => {
    const now = mended(place.script ?? "", from.source, { line: 0, column: 0 }, mending);
    if (now !== null) place.mend(now, runs);
    said.textContent = now === null ? t["gone"] : runs ? "" : t["mended"];
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
