/** In one process, with one browser and its tabs: snippets in pages of other projects. */
import "../embed.test.mjs";
import "../check-docs.test.mjs";
import "../snippet-xray.test.mjs";
