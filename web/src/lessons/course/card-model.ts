/**
 * The model that a project's work left, as the drawing on its card shows it: read from the data, as the playground's
 * is.
 *
 * Invariant: nothing of it is in the file for a teacher, who draws it anew.
 */
import { listCollections } from "../../client/catalog.ts";
import type { QuireClient } from "../../client/client.ts";
import type { Model } from "../../state/model-view/model.ts";
import { readModel } from "../../state/model-view/reading.ts";

/** Reads the model of a database; null where it has no collection. */
export async function readCardModel(
  client: Pick<QuireClient, "command" | "commandBytes">,
  database: string,
): Promise<Model | null> {
  const listed = (await listCollections(client, database)).filter(({ type }) => type === "collection");
  let model: Model | null = null;
  await readModel(client, database, listed, new Set(), {
    signal: new AbortController().signal,
    progress: () => undefined,
    came: (next) => {
      model = next;
    },
  });
  return listed.length === 0 ? null : model;
}
