/**
 * A line on each `$` operator and each of the shell's methods, in the page's language: for the list of names, and for
 * the name under the pointer.
 *
 * Invariants: fetched with the first completion or the first name pointed at, a language's lines when they are first
 * asked for; lines that cannot be had leave completion as it is, and are asked for again; pure but for that fetching.
 */
import type { MethodKind, NameKind, OperatorKind, OperatorTexts } from "../../messages/operators/texts.ts";
import type { Language } from "../../state/settings.ts";
import { membersOf, objectOfKey, operatorsIn, type Script } from "./completion.ts";
import { idOf } from "../../reference/kinds.ts";
import { methodSignatures } from "../../reference/method-signatures.ts";
import { methodExamples, syntaxOf } from "../../reference/operator-syntax.ts";
import * as words from "./shell-words.ts";

/** The operators of each place. */
export const operatorTables = {
  query: words.queryOperators,
  update: words.updateOperators,
  stage: words.stages,
  accumulator: words.accumulators,
  window: words.windowOperators,
  expression: words.expressionOperators,
} as const satisfies Readonly<Record<OperatorKind, unknown>>;

/** The methods of each thing they are called on. */
export const methodTables = {
  database: words.databaseMethods,
  collection: words.collectionMethods,
  cursor: words.cursorMethods,
  explain: words.explainMethods,
  quire: words.quireMethods,
} as const satisfies Readonly<Record<MethodKind, unknown>>;

/** One name's line, with the word for its kind. */
export interface OperatorLine {
  /** The name, a method's with its arguments. */
  readonly title: string;
  readonly kind: string;
  readonly text: string;
  /** An operator's syntax; null for a method, whose title has its arguments. */
  readonly syntax: string | null;
  readonly example: string;
  /** Its entry in the reference, `kind/name`. */
  readonly entry: string;
}

const operatorKinds = Object.keys(operatorTables) as readonly OperatorKind[];
const methodKinds = Object.keys(methodTables) as readonly MethodKind[];
const isMethodKind = (kind: NameKind): kind is MethodKind => kind in methodTables;

/** One language's lines. */
export class OperatorHelp {
  readonly #lines: ReadonlyMap<NameKind, ReadonlyMap<string, string>>;
  readonly #texts: OperatorTexts | null;

  constructor(texts: OperatorTexts | null) {
    this.#texts = texts;
    this.#lines = new Map(
      [...operatorKinds, ...methodKinds].map((kind) => [
        kind,
        new Map(
          [...(texts?.[kind] ?? "").matchAll(/^(\*|\$?\w+) (.+)$/gm)].map((line) => [line[1] ?? "", line[2] ?? ""]),
        ),
      ]),
    );
  }

  /** The line on a name of one kind; undefined for a name without one. */
  line(kind: NameKind, name: string): string | undefined {
    const lines = this.#lines.get(kind);
    return lines?.get(name) ?? lines?.get("*") ?? (kind === "window" ? this.line("accumulator", name) : undefined);
  }

  /** The names of one kind that have a line of that kind. */
  names(kind: NameKind): readonly string[] {
    return [...(this.#lines.get(kind)?.keys() ?? [])];
  }

  /** The word that stands before an example. */
  get exampleWord(): string {
    return this.#texts?.example ?? "";
  }

  /** The word that leads to the reference. */
  get moreWord(): string {
    return this.#texts?.more ?? "";
  }

  /**
   * The reference's entry for a name. A method behind `explain()` has the entry of `explain()`; an accumulator used in
   * a window has the accumulator's.
   */
  #entry(kind: NameKind, name: string): string {
    if (kind === "explain") return idOf("collection", "explain");
    return idOf(kind === "window" && !this.#lines.get(kind)?.has(name) ? "accumulator" : kind, name);
  }

  /** The lines on the name at a place: one where the place tells its kind, else one for each kind that has the name. */
  lines({ name, kind }: Pick<OperatorPlace, "name" | "kind">): readonly OperatorLine[] {
    const told =
      kind !== undefined && this.line(kind, name) !== undefined
        ? [kind]
        : operatorKinds.filter((one) => this.#lines.get(one)?.has(name));
    return told.map((one) => ({
      title: isMethodKind(one) ? name + signature(one, name) : name,
      kind: this.#texts?.kinds[one] ?? "",
      text: this.line(one, name) ?? "",
      entry: this.#entry(one, name),
      ...(isMethodKind(one) ? { syntax: null, example: exampleOf(one, name) } : syntaxOf(one, name)),
    }));
  }
}

/** Tables of a place which hold a part of a kind's operators. */
const parts = new Map<readonly string[], OperatorKind>([
  [words.filterOperators, "query"],
  [words.fieldOperators, "query"],
  [words.topUpdateOperators, "update"],
  [words.pushModifiers, "update"],
  [words.setModifiers, "update"],
  [words.updateStages, "stage"],
  [words.projectionOperators, "expression"],
]);

/** The kind of the operators of a table. */
export function kindOf(operators: readonly string[]): OperatorKind | undefined {
  return parts.get(operators) ?? operatorKinds.find((kind) => operatorTables[kind] === operators);
}

function exampleOf(kind: MethodKind, name: string): string {
  const example = methodExamples[kind === "explain" ? "collection" : kind].get(name) ?? "";
  return kind === "explain" ? example.replace(`.${name}(`, `.explain().${name}(`) : example;
}

/** A method's arguments in their parentheses, as `(filter, options)`. */
export function signature(kind: MethodKind, name: string): string {
  return methodSignatures[kind === "explain" ? "collection" : kind].get(name) ?? "()";
}

/** An operator or a method written in a script. */
export interface OperatorPlace {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  /** Undefined where the place does not tell. */
  readonly kind: NameKind | undefined;
}

/** The operator or method around a position, if there is one: a key, bare or quoted, or a call. */
export function nameAt(script: Script, position: number): OperatorPlace | null {
  for (const side of [1, -1] as const) {
    const node = script.tree.resolveInner(position, side);
    const written = script.text.slice(node.from, node.to);
    const place = node.name === "PropertyName" ? methodAt(script, node, written) : null;
    const found = place ?? operatorAt(script, node, written);
    if (found !== null) return found;
  }
  return null;
}

type Node = Script["tree"]["topNode"];

function operatorAt(script: Script, node: Node, written: string): OperatorPlace | null {
  const [, quote = "", name] = /^(["']?)(\$[a-zA-Z]\w*)\1$/.exec(written) ?? [];
  const object = objectOfKey(node);
  if (name === undefined || object === null || node.parent?.getChild(":") === null) return null;
  const from = node.from + quote.length;
  return { from, to: from + name.length, name, kind: kindOf(operatorsIn(script, object)) };
}

function methodAt(script: Script, node: Node, name: string): OperatorPlace | null {
  const callee = node.parent;
  if (callee?.name !== "MemberExpression" || callee.nextSibling?.name !== "ArgList" || callee.firstChild === null)
    return null;
  const { kind } = membersOf(script, callee.firstChild);
  const methodKind = methodKinds.find((one) => one === kind);
  return methodKind === undefined || !methodTables[methodKind].includes(name)
    ? null
    : { from: node.from, to: node.to, name, kind: methodKind };
}

const fetched = new Map<Language, Promise<OperatorHelp>>();

/** The lines of a language, fetched once. */
export function operatorHelp(language: Language): Promise<OperatorHelp> {
  let help = fetched.get(language);
  if (help === undefined) {
    const texts =
      language === "zh-Hans"
        ? import("../../messages/operators/zh-hans.ts").then(({ zhHans }) => zhHans)
        : import("../../messages/operators/en.ts").then(({ en }) => en);
    help = texts.then(
      (table) => new OperatorHelp(table),
      () => {
        fetched.delete(language);
        return new OperatorHelp(null);
      },
    );
    fetched.set(language, help);
  }
  return help;
}
