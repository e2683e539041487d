/** In one process, with one browser: programs that use the package, in a page and in Node. */
import "../thread.test.mjs";
import "../abort.test.mjs";
import "../package.test.mjs";
import "../readme.test.mjs";
import "../trusted-types.test.mjs";
