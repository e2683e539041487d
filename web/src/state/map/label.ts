/**
 * The name of a document in the list of places.
 *
 * Invariant: pure; a document without a name is called by its `_id`, else by its beginning.
 */
import { cutText } from "../long-text.ts";
import { fieldOf, isNested, partsOf, preview, wordCell } from "../values.ts";

/** Names of fields that hold a name, the best first. */
const names = [/^(?:name|title|label)$/i, /(?:name|title|label)$/i, /^(?:city|town|station|stop|street|address)$/i];
const longest = 120;

/**
 * The name of a document, cut where it is long.
 *
 * @param field the field of the place, which is not its name
 */
export function labelOf(document: unknown, field: string): string {
  if (!isNested(document)) return preview(document);
  const texts = partsOf(document).filter(
    ([name, value]) => typeof value === "string" && value !== "" && name !== field,
  );
  const named = names.map((pattern) => texts.find(([name]) => pattern.test(name))).find((found) => found !== undefined);
  const id = fieldOf(document, "_id");
  if (named !== undefined) return cutText(String(named[1]), longest);
  if (id !== undefined) return isNested(id) ? preview(id) : cutText(wordCell(id), longest);
  return texts[0] === undefined ? preview(document) : cutText(String(texts[0][1]), longest);
}
