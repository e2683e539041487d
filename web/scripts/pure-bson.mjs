/**
 * Lets bundlers leave out the parts of js-bson that nothing uses: its serializer with 17 MB of buffer, its
 * deserializer, Extended JSON.
 *
 * js-bson is one module whose top level fills a few objects and allocates; a bundler must keep whatever that reaches.
 * Invariant: each statement is replaced by one of the same meaning that says it has no effect of its own; when the
 * library changes so that one is not found, the build stops instead of growing unseen. Plain JavaScript, because the
 * package's build, which is no TypeScript, does it too.
 */
import { readFile } from "node:fs/promises";

const MODULE = /[\\/]node_modules[\\/]bson[\\/]lib[\\/]bson[\w.]*\.mjs$/;

const replacements = [
  [
    /const EJSON = Object\.create\(null\);\s*EJSON\.parse = parse;\s*EJSON\.stringify = stringify;\s*EJSON\.serialize = EJSONserialize;\s*EJSON\.deserialize = EJSONdeserialize;\s*Object\.freeze\(EJSON\);/,
    "const EJSON = /* @__PURE__ */ Object.freeze({ __proto__: null, parse, stringify, serialize: EJSONserialize, deserialize: EJSONdeserialize });",
  ],
  [
    /const onDemand = Object\.create\(null\);\s*onDemand\.parseToElements = parseToElements;\s*onDemand\.ByteUtils = ByteUtils;\s*onDemand\.NumberUtils = NumberUtils;\s*Object\.freeze\(onDemand\);/,
    "const onDemand = /* @__PURE__ */ Object.freeze({ __proto__: null, parseToElements, ByteUtils, NumberUtils });",
  ],
  [/let buffer = ByteUtils\.allocate\(MAXSIZE\);/, "let buffer = /* @__PURE__ */ ByteUtils.allocate(MAXSIZE);"],
  [/const JS_INT_MAX_LONG = Long\./, "const JS_INT_MAX_LONG = /* @__PURE__ */ Long."],
  [/const JS_INT_MIN_LONG = Long\./, "const JS_INT_MIN_LONG = /* @__PURE__ */ Long."],
];

function purified(code) {
  let pure = code;
  for (const [find, replacement] of replacements) {
    if (!find.test(pure)) throw new Error(`js-bson has no ${find.source.slice(0, 40)} any more`);
    pure = pure.replace(find, replacement);
  }
  return pure;
}

/** For Vite. */
export const pureBson = () => ({
  name: "quire-pure-bson",
  apply: "build",
  transform: (code, id) => (MODULE.test(id) ? { code: purified(code), map: null } : null),
});

/** For esbuild. */
export const pureBsonForEsbuild = {
  name: "quire-pure-bson",
  setup(context) {
    context.onLoad({ filter: MODULE }, async ({ path }) => ({
      contents: purified(await readFile(path, "utf8")),
      loader: "js",
    }));
  },
};
