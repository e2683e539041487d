/**
 * What a module of the built page imports, exports and asks for, read from its syntax tree.
 *
 * Invariants: files are named as they lie beside one another, without the `./`; places are offsets in the module's
 * text, and do not overlap but that an `import()` lies inside what the bundler put around it.
 */
import { parse, type AnyNode } from "acorn";

/** From one offset to before another. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** An `import()` of a file. */
export interface Asked extends Place {
  readonly file: string;
  /**
   * The call that fetches what that file imports first, with the `import()` in it; the `import()` itself where there is
   * none.
   */
  readonly whole: Place;
}

export interface BuiltModule {
  readonly code: string;
  /** The names that it imports at once, by file. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  readonly exports: readonly string[];
  readonly asked: readonly Asked[];
  /** Where it asks for its own address. */
  readonly addresses: readonly Place[];
  /** Where it asks for `import.meta.resolve`. */
  readonly resolvers: readonly Place[];
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

/** Calls `see` with each node and the one around it, the outer first. */
function walk(
  node: AnyNode,
  see: (node: AnyNode, around: AnyNode | null) => void,
  around: AnyNode | null = null,
): void {
  see(node, around);
  for (const value of Object.values(node) as unknown[]) {
    for (const inner of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(inner)) walk(inner, see, node);
  }
}

/** A text that stands there as it is. */
function textOf(node: AnyNode): string | null {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "TemplateLiteral" && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? null;
  return null;
}

const beside = (path: string | null): string | null => (path?.startsWith("./") === true ? path.slice(2) : null);
const named = (node: AnyNode): string =>
  node.type === "Identifier" ? node.name : String((node as { readonly value?: unknown }).value);

/** The property that is asked of `import.meta`; null where a node asks for none. */
function metaProperty(node: AnyNode): string | null {
  if (node.type !== "MemberExpression" || node.computed || node.object.type !== "MetaProperty") return null;
  return node.object.meta.name === "import" ? named(node.property) : null;
}

/**
 * Whether a call has this `import()` as the body of its first argument's function, and the module's address as its
 * last.
 */
function isPreload(call: AnyNode | null, importing: AnyNode): boolean {
  if (call?.type !== "CallExpression" || call.arguments.length !== 3) return false;
  const [load, , address] = call.arguments as [AnyNode, AnyNode, AnyNode];
  return load.type === "ArrowFunctionExpression" && load.body === importing && metaProperty(address) === "url";
}

/** Reads a built module. Throws for an import of all that a file exports: who passes names on has to know them. */
export function readModule(code: string): BuiltModule {
  const imports = new Map<string, string[]>();
  const exports: string[] = [];
  const asked: Asked[] = [];
  const addresses: Place[] = [];
  const resolvers: Place[] = [];
  const take = (path: string | null, names: readonly string[]): void => {
    const file = beside(path);
    if (file !== null) imports.set(file, [...(imports.get(file) ?? []), ...names]);
  };
  const parents = new Map<AnyNode, AnyNode | null>();
  walk(parse(code, { ecmaVersion: "latest", sourceType: "module" }), (node, around) => {
    parents.set(node, around);
    if (node.type === "ImportDeclaration") {
      take(
        textOf(node.source),
        node.specifiers.map((one) => {
          if (one.type === "ImportNamespaceSpecifier") throw new Error("a built module imports all of another");
          return one.type === "ImportDefaultSpecifier" ? "default" : named(one.imported);
        }),
      );
    } else if (node.type === "ExportNamedDeclaration") {
      if (node.declaration) throw new Error("a built module exports where it declares");
      for (const { exported } of node.specifiers) exports.push(named(exported));
      if (node.source)
        take(
          textOf(node.source),
          node.specifiers.map(({ local }) => named(local)),
        );
    } else if (node.type === "ExportAllDeclaration") {
      throw new Error("a built module exports all of another");
    } else if (node.type === "ImportExpression") {
      const file = beside(textOf(node.source));
      const call = around === null ? null : (parents.get(around) ?? null);
      const whole = call !== null && isPreload(call, node) ? call : node;
      if (file !== null) asked.push({ start: node.start, end: node.end, file, whole });
    } else {
      const property = metaProperty(node);
      if (property === "url") addresses.push(node);
      else if (property === "resolve") resolvers.push(node);
    }
  });
  return { code, imports, exports, asked, addresses, resolvers };
}

/** A text with others in the place of some of its stretches; of one inside another the outer counts. */
export function replaced(code: string, changes: readonly (Place & { readonly text: string })[]): string {
  let out = "";
  let at = 0;
  for (const { start, end, text } of [...changes].sort(
    (one, other) => one.start - other.start || other.end - one.end,
  )) {
    if (start < at) continue;
    out += code.slice(at, start) + text;
    at = end;
  }
  return out + code.slice(at);
}
