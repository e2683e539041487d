/**
 * The fields of a collection as completion names them, from a sample of its documents.
 *
 * Invariants: paths are dotted, without the places of array elements; types are those seen in the sample, the first
 * seen first; pure but for the asking.
 */
import type { Document } from "bson";
import { ask, cursorOf, type Commander } from "./data/ask.ts";
import { isNested, partsOf, typeOf, type BsonType } from "./values.ts";

/** A field's path and the types that its values had. */
export interface Field {
  readonly path: string;
  readonly types: readonly BsonType[];
  /** The types of the elements where values were arrays; absent where none was, or that is not known. */
  readonly elements?: readonly BsonType[];
}

/** The limits of a sample: documents, levels of nesting, and elements of each array. */
const sample = 20;
const deepest = 4;
const elements = 3;
/** Elements of each array whose types are told. */
const looked = 100;

/** The fields of documents, in the order in which they are met. */
export function fieldsOf(documents: readonly Document[]): readonly Field[] {
  const found = new Map<string, Set<BsonType>>();
  const elementsOf = new Map<string, Set<BsonType>>();
  const collect = (value: Document, prefix: string, depth: number): void => {
    for (const [name, part] of partsOf(value)) {
      const path = prefix + name;
      const type = typeOf(part);
      found.set(path, (found.get(path) ?? new Set()).add(type));
      if (Array.isArray(part)) {
        const inside = elementsOf.get(path) ?? new Set();
        for (const one of part.slice(0, looked)) inside.add(typeOf(one));
        elementsOf.set(path, inside);
      }
      if (depth === deepest || !isNested(part)) continue;
      const inner = Array.isArray(part) ? part.slice(0, elements) : [part as Document];
      for (const one of inner) if (typeOf(one) === "Object") collect(one as Document, `${path}.`, depth + 1);
    }
  };
  for (const document of documents) collect(document, "", 0);
  return [...found].map(([path, types]) => {
    const inside = elementsOf.get(path);
    return inside === undefined ? { path, types: [...types] } : { path, types: [...types], elements: [...inside] };
  });
}

/** Asks for a sample of a collection, and gives its fields. */
export async function sampleFields(
  commander: Commander,
  database: string,
  collection: string,
): Promise<readonly Field[]> {
  return fieldsOf(await sampleDocuments(commander, database, collection, sample));
}

/** Asks for the first documents of a collection. */
export async function sampleDocuments(
  commander: Commander,
  database: string,
  collection: string,
  limit: number,
): Promise<readonly Document[]> {
  // A view and a time series are read by a pipeline, which takes no `singleBatch`. A batch that may have one more than
  // there are is not full, and so leaves no cursor open.
  const reply = await ask(commander, database, { find: collection, limit, batchSize: limit + 1 });
  return cursorOf(reply).documents;
}
