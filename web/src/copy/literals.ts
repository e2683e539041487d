/**
 * Literals of a script as values by their BSON type, read from acorn's tree without running anything.
 *
 * Invariants: a number has the type that the shell would send: int32 for a whole one of 32 bits, otherwise double. An
 * expression whose value is known only when the script runs is refused by name.
 */
import type { AnyNode, CallExpression, Expression, NewExpression, ObjectExpression } from "acorn";
import { Untranslatable, type DocumentValue, type Value } from "./model.ts";

const isoDate = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/;
const decimalText = /^[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity|nan)$/i;

/** The names before and of a call: `["Long", "fromString"]`; null when it is no plain path of names. */
export function pathOf(node: AnyNode): readonly string[] | null {
  if (node.type === "Identifier") return [node.name];
  if (node.type !== "MemberExpression") return null;
  const before = pathOf(node.object);
  if (before === null) return null;
  if (!node.computed && node.property.type === "Identifier") return [...before, node.property.name];
  return node.computed && node.property.type === "Literal" && typeof node.property.value === "string"
    ? [...before, node.property.value]
    : null;
}

export function numberValue(value: number): Value {
  const whole = Number.isInteger(value) && Math.abs(value + 0.5) <= 2 ** 31 && !Object.is(value, -0);
  return { kind: whole ? "int32" : "double", value };
}

/** Reads literals of one source, whose text names the values that are refused. */
export class Literals {
  constructor(private readonly source: string) {}

  text(node: AnyNode): string {
    const text = this.source.slice(node.start, node.end).replace(/\s+/g, " ");
    return text.length > 60 ? `${text.slice(0, 59)}…` : text;
  }

  refuse(node: AnyNode): never {
    throw new Untranslatable("value", this.text(node));
  }

  value(node: AnyNode): Value {
    switch (node.type) {
      case "Literal":
        if (node.regex) return this.regex(node, node.regex.pattern, node.regex.flags);
        if (node.bigint) return this.int64(node, node.bigint);
        if (node.value === null) return { kind: "null" };
        if (typeof node.value === "number") return numberValue(node.value);
        if (typeof node.value === "boolean") return { kind: "boolean", value: node.value };
        return this.string(node, String(node.value));
      case "TemplateLiteral":
        if (node.expressions[0] !== undefined) return this.value(node.expressions[0]) && this.refuse(node);
        return this.string(node, node.quasis[0]?.value.cooked ?? this.refuse(node));
      case "UnaryExpression":
      case "BinaryExpression":
        return this.computed(node);
      case "ObjectExpression":
        return this.document(node);
      case "ArrayExpression":
        return {
          kind: "array",
          items: node.elements.map((item) => (item === null ? this.refuse(node) : this.value(item))),
        };
      case "CallExpression":
      case "NewExpression":
        return this.call(node);
      case "ArrowFunctionExpression":
      case "FunctionExpression":
        throw new Untranslatable("callback", this.text(node));
      case "Identifier":
        if (node.name === "NaN" || node.name === "Infinity") return { kind: "double", value: Number(node.name) };
        throw new Untranslatable("variable", node.name);
      case "SpreadElement":
        throw new Untranslatable("variable", this.text(node.argument));
      default:
        return this.refuse(node);
    }
  }

  document(node: ObjectExpression): DocumentValue {
    const fields = new Map<string, Value>();
    for (const property of node.properties) {
      if (property.type === "SpreadElement") throw new Untranslatable("variable", this.text(property.argument));
      if (property.kind !== "init" || property.method) throw new Untranslatable("callback", this.text(property.key));
      const key = this.key(property.key, property.computed);
      // A literal's `__proto__` sets no field.
      if (key === "__proto__" && !property.computed) this.refuse(property.key);
      fields.set(key, this.value(property.value));
    }
    const isIndex = (key: string): boolean => /^(0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;
    // JavaScript puts keys that are array indexes first, in their order.
    const indexes = [...fields].filter(([key]) => isIndex(key)).sort(([a], [b]) => Number(a) - Number(b));
    return { kind: "document", fields: [...indexes, ...[...fields].filter(([key]) => !isIndex(key))] };
  }

  private key(node: Expression | AnyNode, computed: boolean): string {
    if (!computed && node.type === "Identifier") return node.name;
    if (node.type === "Literal" && (typeof node.value === "string" || typeof node.value === "number"))
      return String(node.value);
    const value = this.value(node);
    return value.kind === "string" ? value.value : this.refuse(node);
  }

  private string(node: AnyNode, value: string): Value {
    return /\p{Surrogate}/u.test(value) ? this.refuse(node) : { kind: "string", value };
  }

  /** Signs and arithmetic of plain numbers: `60 * 60`. */
  private computed(node: AnyNode): Value {
    const number = (part: AnyNode): number => {
      if (part.type === "UnaryExpression" && (part.operator === "-" || part.operator === "+"))
        return part.operator === "-" ? -number(part.argument) : number(part.argument);
      if (part.type === "BinaryExpression") {
        const [left, right] = [number(part.left), number(part.right)];
        if (part.operator === "*") return left * right;
        if (part.operator === "+") return left + right;
        if (part.operator === "-") return left - right;
        if (part.operator === "/") return left / right;
        return this.refuse(node);
      }
      const value = this.value(part);
      return value.kind === "double" || (value.kind === "int32" && part.type === "Literal")
        ? value.value
        : this.refuse(node);
    };
    return numberValue(number(node));
  }

  private regex(node: AnyNode, pattern: string, flags: string): Value {
    if (/[^im]/.test(flags) || pattern.includes("\0")) this.refuse(node);
    return { kind: "regex", pattern, options: [...flags].sort().join("") };
  }

  private int64(node: AnyNode, text: string): Value {
    if (!/^[+-]?\d+$/.test(text)) this.refuse(node);
    const value = BigInt(text.replace("+", ""));
    return BigInt.asIntN(64, value) === value ? { kind: "int64", value: String(value) } : this.refuse(node);
  }

  private call(node: CallExpression | NewExpression): Value {
    const path = pathOf(node.callee);
    if (path === null) return this.refuse(node);
    const name = path.join(".");
    if (node.arguments.length > 1 && name !== "RegExp") return this.refuse(node);
    const first = node.arguments[0];
    const value = first === undefined ? null : this.value(first);
    const text =
      value?.kind === "string"
        ? value.value
        : value?.kind === "int32" || value?.kind === "double"
          ? String(value.value)
          : null;
    const number = text === null || text.trim() === "" ? NaN : Number(text);
    switch (name) {
      case "ObjectId":
        if (value === null) return { kind: "new-object-id" };
        return value.kind === "string" && /^[\da-f]{24}$/i.test(value.value)
          ? { kind: "object-id", value: value.value.toLowerCase() }
          : this.refuse(node);
      case "UUID": {
        if (value === null) return { kind: "new-uuid" };
        const hex =
          value.kind === "string" &&
          /^[\da-f]{8}(-?)[\da-f]{4}\1[\da-f]{4}\1[\da-f]{4}\1[\da-f]{12}$/i.test(value.value)
            ? value.value.replaceAll("-", "").toLowerCase()
            : this.refuse(node);
        return { kind: "uuid", value: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-") };
      }
      case "Date":
        // Without `new` it is a text of the present moment.
        return node.type === "NewExpression" ? this.date(node, value) : this.refuse(node);
      case "ISODate":
        return this.date(node, value);
      case "NumberLong":
      case "Long":
      case "Long.fromString":
      case "Long.fromNumber":
        return this.int64(node, value === null ? "0" : (text ?? this.refuse(node)));
      case "NumberInt":
      case "Int32":
        return numberValue(number).kind === "int32" ? { kind: "int32", value: number } : this.refuse(node);
      case "Double":
        return Number.isNaN(number) ? this.refuse(node) : { kind: "double", value: number };
      case "NumberDecimal":
      case "Decimal128":
      case "Decimal128.fromString":
        return text !== null && decimalText.test(text) ? { kind: "decimal", value: text } : this.refuse(node);
      case "RegExp": {
        const flags = node.arguments[1] === undefined ? "" : this.value(node.arguments[1]);
        if (value?.kind !== "string" || (flags !== "" && flags.kind !== "string") || node.arguments.length > 2)
          return this.refuse(node);
        return this.regex(node, value.value, flags === "" ? "" : flags.value);
      }
      default:
        return this.refuse(node);
    }
  }

  /** A text without a zone is one of UTC, which is the sandbox's. */
  private date(node: AnyNode, value: Value | null): Value {
    if (value === null) return { kind: "now" };
    let millis = NaN;
    if (value.kind === "int32" || value.kind === "double") millis = new Date(value.value).getTime();
    else if (value.kind === "string" && isoDate.test(value.value)) {
      const text = value.value
        .replace(" ", "T")
        .replace(/([+-]\d\d)(\d\d)$/, (found: string, hours: string, minutes: string) =>
          value.value.includes(":") ? `${hours}:${minutes}` : found,
        );
      millis = Date.parse(/T[\d:.]+$/.test(text) ? `${text}Z` : text);
    }
    return Number.isNaN(millis) ? this.refuse(node) : { kind: "date", millis };
  }
}
