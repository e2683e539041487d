/**
 * What a VitePress site needs for snippets: the script on each page, and Vue's leave to use the elements.
 */
import { defineConfig } from "vitepress";

/** The path under which the site is served; ends with a slash. */
const base = "/";

export default defineConfig({
  base,
  title: "A herb garden",
  srcExclude: ["README.md"],
  head: [["script", { type: "module", src: `${base}quire/element.js` }]],
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith("quire-") } } },
});
