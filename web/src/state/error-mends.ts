/**
 * How a script is mended that ended with an error about the shape of a call: an update without `$set`, `$in` without a
 * list, a comparison of the language in the place of a filter, a query without the index that it needs.
 *
 * Invariants: pure; only a call that is plainly the one meant is changed, in the statement that failed.
 */
import type { AnyNode, CallExpression, ObjectExpression } from "acorn";
import type { ScriptError } from "../protocol/run.ts";
import type { StatementPlace } from "../shell/rewritten.ts";
import { filterFrom } from "./comparisons.ts";
import { indexMend, memberOf, type IndexMend, type IndexOf } from "./index-mends.ts";
import { rangeOf, type Mending } from "./mending.ts";
import { outlyingIn } from "./misspelt.ts";
import { nameOf, visit } from "./script-tree.ts";

/** Why a call failed, and how the script is mended. */
export interface ErrorMend {
  readonly kind:
    | ("set" | "dollar" | "list" | "stage-path" | "one" | "many" | "collection" | "filter" | "id" | "replace")
    | "longitude"
    | IndexMend["kind"];
  readonly mending: Mending;
}

/** The names that an error is looked at with. */
export interface Surroundings {
  readonly collections: readonly string[];
  readonly updateOperators: readonly string[];
  readonly indexes: readonly IndexOf[];
}

type Edit = (call: CallExpression, name: string) => ErrorMend | null;

/** The mending for an error; null where there is none, or its place is not certain. */
export function errorMend(
  { message }: Pick<ScriptError, "message">,
  source: string,
  failed: StatementPlace | null,
  names: Surroundings,
): ErrorMend | null {
  if (failed === null) return null;
  const { from, to } = rangeOf(source, failed);
  const text = source.slice(from, to);
  const found = indexMend(message, text, names.indexes) ?? findMend(message, text, names);
  if (found === null) return null;
  const { kind, mending } = found;
  return { kind, mending: { ...mending, from: from + mending.from, to: from + mending.to } };
}

function findMend(message: string, text: string, names: Surroundings): ErrorMend | null {
  const replace = (
    kind: ErrorMend["kind"],
    node: { readonly start: number; readonly end: number },
    by: string,
  ): ErrorMend => ({
    kind,
    mending: { from: node.start, to: node.end, text: by },
  });
  const textOf = (node: AnyNode): string => text.slice(node.start, node.end);

  if (/requires atomic operators|must contain atomic operators/.test(message))
    return onlyCall(text, (call, name) => {
      const update = call.arguments[1];
      if (!/^(?:updateOne|updateMany|findOneAndUpdate|update)$/.test(name) || update?.type !== "ObjectExpression")
        return null;
      const bare = withoutDollar(update, names.updateOperators);
      return bare === null
        ? update.properties.length === 0 || hasOperators(update)
          ? null
          : replace("set", update, `{ $set: ${textOf(update)} }`)
        : replace("dollar", bare.node, `$${bare.name}`);
    });
  if (
    /[Rr]eplacement document must not (?:contain|use) atomic operators|must not contain atomic operators/.test(message)
  )
    return onlyCall(text, (call, name) => {
      const callee = call.callee.type === "MemberExpression" ? call.callee.property : null;
      const right = name === "replaceOne" ? "updateOne" : name === "findOneAndReplace" ? "findOneAndUpdate" : null;
      return callee === null || right === null ? null : replace("replace", callee, right);
    });
  const outlying = outlyingIn(message);
  if (outlying?.isSwapped === true) {
    const { longitude, latitude } = outlying;
    const found: ErrorMend[] = [];
    visit(text, (node) => {
      if (node.type !== "ArrayExpression" || node.elements.length !== 2) return;
      const [first, second] = node.elements.map((each) => (each === null ? "" : textOf(each)));
      if (first === "" || Number(first) !== longitude || second === "" || Number(second) !== latitude) return;
      found.push(replace("longitude", node, `[${second}, ${first}]`));
    });
    const [only, ...more] = found;
    return only === undefined || more.length > 0 ? null : only;
  }
  const listed =
    /^(\$in|\$nin|\$all) needs an array/.exec(message)?.[1] ??
    /^(\$or|\$and|\$nor) (?:must be an array|argument must be an array)/.exec(message)?.[1];
  if (listed !== undefined)
    return onlyMember(text, listed, (value) =>
      value.type === "ArrayExpression" ? null : replace("list", value, `[${textOf(value)}]`),
    );
  if (/path option to \$unwind stage should be prefixed with a '\$'/.test(message))
    return onlyMember(text, "$unwind", (value) => {
      const path = value.type === "ObjectExpression" ? memberOf(value, "path") : value;
      return path?.type === "Literal" && typeof path.value === "string"
        ? replace("stage-path", path, JSON.stringify(`$${path.value}`))
        : null;
    });
  if (/group specification must include an _id/.test(message))
    return onlyMember(text, "$group", (value) =>
      value.type === "ObjectExpression" && value.properties[0] !== undefined
        ? {
            kind: "id",
            mending: { from: value.properties[0].start, to: value.properties[0].start, text: "_id: null, " },
          }
        : null,
    );
  if (/^Argument "docs?" must be/.test(message))
    return onlyCall(text, (call, name) => {
      const [given] = call.arguments;
      const callee = call.callee.type === "MemberExpression" ? call.callee.property : null;
      if (callee === null) return null;
      if (name === "insertOne" && given?.type === "ArrayExpression") return replace("many", callee, "insertMany");
      return name === "insertMany" && given?.type === "ObjectExpression" ? replace("one", callee, "insertOne") : null;
    });
  const free = /^'?([\w$]+)'? is not defined$/.exec(message)?.[1];
  return free === undefined ? null : freeName(free, text, names);
}

/** A name that is not declared: a collection without `db`, or a field compared in the place of a filter. */
function freeName(name: string, text: string, { collections }: Surroundings): ErrorMend | null {
  const compared = onlyCall(text, (call, method) => {
    const [filter] = call.arguments;
    if (!filtering.test(method) || filter === undefined || filter.type === "SpreadElement") return null;
    const right = filterFrom(filter, text, null);
    return right === null ? null : { kind: "filter", mending: { from: filter.start, to: filter.end, text: right } };
  });
  if (compared !== null) return compared;
  if (!collections.includes(name)) return null;
  const places: Mending[] = [];
  visit(text, (node) => {
    if (node.type === "MemberExpression" && node.object.type === "Identifier" && node.object.name === name)
      places.push({ from: node.object.start, to: node.object.end, text: `db.${name}` });
  });
  const [only, ...more] = places;
  return only === undefined || more.length > 0 ? null : { kind: "collection", mending: only };
}

/** Methods whose first argument is a filter. */
export const filtering =
  /^(?:find(?:One(?:And\w+)?)?|count(?:Documents)?|delete(?:One|Many)|update(?:One|Many)?|replaceOne|remove)$/;

/** The edit of the only call that has one. */
export function onlyCall(text: string, edit: Edit): ErrorMend | null {
  const found: ErrorMend[] = [];
  visit(text, (node) => {
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return;
    const { property } = node.callee;
    const one = property.type === "Identifier" ? edit(node, property.name) : null;
    if (one !== null) found.push(one);
  });
  const [only, ...more] = found;
  return only === undefined || more.length > 0 ? null : only;
}

/** The edit of the only member of a name whose value has one. */
function onlyMember(text: string, name: string, edit: (value: AnyNode) => ErrorMend | null): ErrorMend | null {
  const found: ErrorMend[] = [];
  visit(text, (node) => {
    const one = node.type === "Property" && !node.computed && nameOf(node) === name ? edit(node.value) : null;
    if (one !== null) found.push(one);
  });
  const [only, ...more] = found;
  return only === undefined || more.length > 0 ? null : only;
}

const hasOperators = ({ properties }: ObjectExpression): boolean =>
  properties.some(
    (member) => member.type !== "Property" || member.computed || nameOf(member)?.startsWith("$") === true,
  );

/** The only member of an update, where its name is an operator without `$`: `{ set: { total: 5 } }`. */
function withoutDollar(
  { properties }: ObjectExpression,
  operators: readonly string[],
): { readonly node: AnyNode; readonly name: string } | null {
  const [only, ...more] = properties;
  if (only?.type !== "Property" || only.computed || more.length > 0 || only.value.type !== "ObjectExpression")
    return null;
  const name = nameOf(only);
  return name !== null && operators.includes(`$${name}`) ? { node: only.key, name } : null;
}
