/**
 * What a Docusaurus site needs for snippets: the script on each page.
 */

/** The path under which the site is served; ends with a slash. */
const baseUrl = "/";

export default {
  title: "A herb garden",
  url: "https://garden.example",
  baseUrl,
  scripts: [{ src: `${baseUrl}quire/element.js`, type: "module" }],
  presets: [["classic", { blog: false, docs: { routeBasePath: "/" } }]],
};
