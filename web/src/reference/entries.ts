/**
 * The entries of the reference: the rows of COMPAT.md with their syntax and example, and with the sentences of a
 * language.
 *
 * Invariant: pure; COMPAT.md decides which names there are and how far each is supported; every other table is looked
 * up by its names. `entries.test.ts` holds that nothing is missing and nothing is left over.
 */
import type { MethodKind, OperatorKind, OperatorTexts } from "../messages/operators/texts.ts";
import type { ReferenceLines } from "../messages/reference/lines.ts";
import {
  bulkSyntax,
  clockSyntax,
  commandSyntax,
  globalSyntax,
  indexSyntax,
  mongoSyntax,
  optionSyntax,
  planCacheSyntax,
  projectionSyntax,
  updateFormSyntax,
} from "./command-syntax.ts";
import { readCompat, type Support } from "./compat.ts";
import { exampleOf, refusalOf } from "./example.ts";
import { kindOfRow, kinds, type ReferenceKind } from "./kinds.ts";
import { methodSignatures } from "./method-signatures.ts";
import { operatorSyntax, syntaxOf } from "./operator-syntax.ts";

/** One name of one kind. */
export interface Entry {
  /** `kind/name`, as an address holds it. */
  readonly id: string;
  readonly kind: ReferenceKind;
  /** As a reader knows it. */
  readonly name: string;
  /** As the tables of texts know it. */
  readonly key: string;
  readonly support: Support;
  /** COMPAT.md's note, in English; empty where nothing differs. */
  readonly note: string;
  /** Null for a name that is refused. */
  readonly syntax: string | null;
  /** A script; for a name that is refused it shows the refusal. */
  readonly example: string;
}

const tables: Readonly<Partial<Record<ReferenceKind, ReadonlyMap<string, string>>>> = {
  command: commandSyntax,
  projection: projectionSyntax,
  update: updateFormSyntax,
  index: indexSyntax,
  option: optionSyntax,
  bulk: bulkSyntax,
  mongo: mongoSyntax,
  planCache: planCacheSyntax,
  clock: clockSyntax,
  global: globalSyntax,
};

/** The object that methods are called on, as their syntax begins. */
const objects: Readonly<Partial<Record<ReferenceKind, string>>> = {
  database: "db.",
  collection: "db.collection.",
  cursor: "cursor.",
  quire: "quire.",
};

function syntaxOfEntry(kind: ReferenceKind, key: string): string | null {
  const written = tables[kind]?.get(key);
  if (written !== undefined) return written;
  if (kind in operatorSyntax)
    return operatorSyntax[kind as OperatorKind].has(key) ? syntaxOf(kind as OperatorKind, key).syntax : null;
  const methods: ReadonlyMap<string, string> | undefined =
    methodSignatures[kind as Exclude<MethodKind, "explain"> & keyof typeof methodSignatures];
  const signature = methods?.get(key);
  return signature === undefined ? null : `${objects[kind] ?? ""}${key}${signature}`;
}

/** Everything that COMPAT.md names, by kind and name. */
export function entriesOf(compat: string): readonly Entry[] {
  return readCompat(compat)
    .map((row): Entry => {
      const { kind, key } = kindOfRow(row);
      const { name, support, note } = row;
      const isThere = support !== "absent";
      return {
        id: `${kind}/${name}`,
        kind,
        name: name.replace(/^kind:/, ""),
        key,
        support,
        note,
        syntax: isThere ? syntaxOfEntry(kind, key) : null,
        example: (isThere ? exampleOf(kind, key) : refusalOf(kind, key)) ?? "",
      };
    })
    .sort((left, right) => kinds.indexOf(left.kind) - kinds.indexOf(right.kind));
}

/** An option's note that begins with a list of methods ("of `find`, `distinct`"), and its rest behind a semicolon. */
const LISTED = /^of (`[\w.]+`(?:, `[\w.]+`)*)(?:; (.+))?$/;

/** The methods that an option's note lists, by id; none where it says it in words. */
function listedIn({ kind, note }: Entry): readonly string[] {
  const list = kind === "option" ? (LISTED.exec(note)?.[1] ?? "") : "";
  return [...list.matchAll(/`([\w.]+)`/g)].flatMap(([, name = ""]) => {
    if (name.startsWith("Mongo.")) return [`mongo/${name}()`];
    if (name.startsWith("db.")) return [`database/${name}()`];
    const ofDatabase = /^(?:create|get)Coll/.test(name) ? [`database/db.${name}()`] : [];
    return [`collection/db.collection.${name}()`, ...ofDatabase];
  });
}

/** A note without the methods that it lists. */
export function remarkOf({ kind, note }: Entry): string {
  const listed = kind === "option" ? LISTED.exec(note) : null;
  return listed === null ? note : (listed[2] ?? "");
}

/** An option's methods, or a method's options. */
export function belonging(entry: Entry, entries: readonly Entry[]): readonly Entry[] {
  const methods = new Set(listedIn(entry));
  return entries.filter((other) => methods.has(other.id) || listedIn(other).includes(entry.id));
}

/** The sentences of a language, by kind and key. */
export class Sentences {
  readonly #lines = new Map<string, string>();

  constructor(operators: OperatorTexts, reference: ReferenceLines) {
    for (const texts of [operators, reference])
      for (const [kind, text] of Object.entries(texts) as readonly (readonly [string, unknown])[]) {
        // Words beside the lines, such as those for the kinds.
        if (typeof text !== "string" || !text.startsWith("\n")) continue;
        for (const line of text.trim().split("\n")) {
          const at = line.indexOf(" ");
          this.#lines.set(`${kind}/${line.slice(0, at)}`, line.slice(at + 1));
        }
      }
  }

  /** The sentence on an entry; empty where there is none. */
  of({ kind, key }: Pick<Entry, "kind" | "key">): string {
    return this.#lines.get(`${kind}/${key}`) ?? "";
  }

  /** Everything that has a sentence, as `kind/key`. */
  get names(): readonly string[] {
    return [...this.#lines.keys()];
  }
}

/** The operator or stage that a piece of a note names; null where it is none, none alone, or the note's own. */
export function operatorNamed(entries: readonly Entry[], code: string, own: Entry): Entry | null {
  const [one, ...more] = code.startsWith("$") ? entries.filter(({ name }) => name === code) : [];
  return one === undefined || more.length > 0 || one.id === own.id ? null : one;
}

/** The entries that an address names: that of a kind and name, or all of a name, with or without its object. */
export function entriesAt(entries: readonly Entry[], wanted: string): readonly Entry[] {
  const exact = entries.filter(({ id }) => id === wanted);
  if (exact.length > 0) return exact;
  const name = wanted.toLowerCase();
  const named = entries.filter((entry) => entry.name.toLowerCase() === name);
  return named.length > 0 ? named : entries.filter((entry) => entry.key.toLowerCase() === name);
}
