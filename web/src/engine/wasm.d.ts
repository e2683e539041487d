/** Stands for the engine's glue where it has not been built yet; `bindings.ts` describes it. */
declare module "*/wasm/engine-glue.js";
declare module "*/wasm/prelude-text.js" {
  const text: string;
  export default text;
}
