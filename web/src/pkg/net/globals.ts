/**
 * The globals of Node's that MongoDB's drivers use without asking: put there where a page has none.
 *
 * `Buffer` is of the module `buffer`: Node's, or the package of that name.
 */
// biome-ignore lint/style/useNodejsImportProtocol: bundlers have another module in its place by this name
import { Buffer } from "buffer";
import { process } from "./process.ts";

const realm = globalThis as Record<string, unknown>;
realm["global"] ??= realm;
realm["Buffer"] ??= Buffer;
realm["process"] ??= process;
realm["setImmediate"] ??= (work: (...given: unknown[]) => void, ...given: unknown[]) => setTimeout(work, 0, ...given);
realm["clearImmediate"] ??= clearTimeout;
