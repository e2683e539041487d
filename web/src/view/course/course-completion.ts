/**
 * Names to complete in a lesson's scripts: the shell's, those of the lesson's collections and of their fields.
 *
 * Invariant: the engine is asked when a completion is, and never started for one: until the reader has acted, the
 * shell's own names are offered. An engine that is being started is waited for, since a list that opened without the
 * lesson's names would not be made again while the reader types.
 */
import type { CompletionSource } from "@codemirror/autocomplete";
import type { CourseClient } from "../../lessons/course/place.ts";
import { ask, cursorOf } from "../../state/data/ask.ts";
import { sampleFields, type Field } from "../../state/fields.ts";
import type { Language } from "../../state/settings.ts";
import { completionCode } from "../editor/completion-code.ts";
import type { KnownDatabase } from "../editor/offering.ts";

/** What is known where a script stands; a lab's designs have no engine before they run. */
export interface Around {
  client(): Promise<Pick<CourseClient, "commandBytes"> | null>;
  readonly database: string;
  readonly language: Language;
}

/** The collections of a database with their counts. */
async function collectionsOf(around: Around): Promise<readonly KnownDatabase[]> {
  const { database } = around;
  const client = await around.client();
  if (client === null) return [];
  const { documents } = cursorOf(await ask(client, database, { listCollections: 1, nameOnly: true }));
  const names = documents.map(({ name }) => String(name)).filter((name) => !name.startsWith("system."));
  const collections = await Promise.all(
    names.map(async (name) => ({ name, count: Number((await ask(client, database, { count: name }))["n"]) })),
  );
  return [{ summary: { name: database }, collections }];
}

/** The source of names for an editor; `around` is asked at each completion. */
export function courseCompletion(around: () => Around): CompletionSource {
  return async (context) => {
    const place = around();
    const { database, language } = place;
    const code = await completionCode(language);
    if (code === null) return null;
    const fieldsOf = async (collection: string): Promise<readonly Field[]> => {
      const client = await place.client();
      return client === null ? [] : sampleFields(client, database, collection);
    };
    return code.offer(context, {
      database,
      help: code.help,
      number: (count) => new Intl.NumberFormat(language).format(count),
      databases: () => collectionsOf(place).catch(() => []),
      fields: (collection) => fieldsOf(collection).catch(() => []),
    });
  };
}
