/**
 * The nodes of a script's text, for who changes the text at some of them.
 *
 * Invariant: pure; a text that is no script has no nodes.
 */
import { parse, type AnyNode, type Property } from "acorn";

/** The name of a member, as the object has it. */
export function nameOf({ key }: Pick<Property, "key">): string | null {
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" ? String(key.value) : null;
}

/** Calls `see` with every node of a text; names of members are not seen as texts. */
export function visit(text: string, see: (node: AnyNode) => void): void {
  const waiting: AnyNode[] = [];
  try {
    waiting.push(parse(text, { ecmaVersion: "latest", allowAwaitOutsideFunction: true, allowHashBang: true }));
  } catch {
    return;
  }
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    see(node);
    for (const [name, part] of Object.entries(node) as readonly (readonly [string, unknown])[]) {
      if (name === "key" && node.type === "Property" && !node.computed) continue;
      for (const one of Array.isArray(part) ? (part as readonly unknown[]) : [part])
        if (typeof one === "object" && one !== null && "type" in one && "start" in one) waiting.push(one as AnyNode);
    }
  }
}
