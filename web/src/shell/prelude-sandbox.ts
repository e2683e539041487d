/**
 * The prelude for the browser's sandbox: the same shell, but scripts are rewritten by the worker outside
 * (`__quireRewrite(source) → RewriteOutcome as JSON`), because the parser takes QuickJS half a second to load. In a
 * realm for functions of commands the same function gives `functionText` of their code.
 */
import { installPrelude } from "./install.ts";
import type { RewriteOutcome } from "./rewritten.ts";

const realm = globalThis as unknown as { __quireRewrite?: (source: string) => string };
const { __quireRewrite: rewrite } = realm;
if (rewrite === undefined) throw new Error("the sandbox's prelude needs __quireRewrite");
delete realm.__quireRewrite;
const fromJson = JSON.parse;

installPrelude((source) => fromJson(rewrite(source)) as RewriteOutcome, rewrite);
