/**
 * `quire`: bookmarks of the whole data in scripts, by ordinary commands (`docs/moments.md`).
 *
 * Invariant: a call that cannot be meant so (a missing name, an unknown option) is refused here, before any command;
 * any other refusal is the engine's own error.
 */
import { MongoshInvalidInputError, type Document } from "./errors.ts";
import { quireHelp } from "./help.ts";
import type { Shell } from "./shell.ts";

const ADMIN = "admin";

/** Options by name, each a text; others are refused. */
function optionsOf(method: string, given: unknown, known: readonly string[]): Record<string, string | undefined> {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new MongoshInvalidInputError(`${method} takes its options as an object: { ${known.join(", ")} }`);
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name))
      throw new MongoshInvalidInputError(`${method} has no option "${name}"; it has ${known.join(" and ")}`);
    if (typeof value !== "string" || value === "")
      throw new MongoshInvalidInputError(`${method} takes a name as ${name}, and not ${JSON.stringify(value)}`);
  }
  return given as Record<string, string>;
}

/** The field `what` of a moment: a page's note as its data, any other text as it is. */
function whatOf(what: unknown): unknown {
  if (typeof what !== "string") return undefined;
  try {
    const note = JSON.parse(what) as unknown;
    return typeof note === "object" && note !== null ? note : what;
  } catch {
    return what;
  }
}

/** The object of a shell's scope. */
export function makeQuire(shell: Shell): Document {
  const run = (command: Document): Document => shell.connection.run(ADMIN, command);
  const bookmark = (name?: unknown): Document => {
    if (typeof name !== "string" || name === "")
      throw new MongoshInvalidInputError(
        'quire.bookmark takes the name to keep the data under: quire.bookmark("start")',
      );
    return { name, number: Number(run({ quireMoment: 1, name })["number"]) };
  };
  const restore = (moment?: unknown, options?: unknown): Document => {
    const isNumber = typeof moment === "number" || typeof moment === "bigint" || typeof moment === "object";
    if (moment === null || (!isNumber && (typeof moment !== "string" || moment === "")))
      throw new MongoshInvalidInputError(
        'quire.restore takes the name of a bookmark, or the number of a moment: quire.restore("start")',
      );
    const { collection, database } = optionsOf("quire.restore", options, ["database", "collection"]);
    const part =
      collection === undefined
        ? database === undefined
          ? {}
          : { database }
        : { database: database ?? shell.database.getName(), collection };
    const reply = run({ quireRestore: moment, ...part });
    return { number: Number(reply["number"]), restored: reply["restored"] };
  };
  const moments = (): Document[] => {
    const { moments: kept } = run({ quireMoments: 1 }) as { moments: Document[] };
    return kept.map(({ number, time, name, what, pages }) => ({
      number: Number(number),
      ...(name === undefined ? {} : { name }),
      time,
      ...(what === undefined ? {} : { what: whatOf(what) }),
      pages: Number(pages),
    }));
  };
  return { bookmark, restore, moments, help: quireHelp };
}
