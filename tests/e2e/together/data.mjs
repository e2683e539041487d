/** In one process, with one browser and its tabs: collections, files that come in and go out, the examples. */
import "../data.test.mjs";
import "../transfer.test.mjs";
import "../archive.test.mjs";
import "../examples.test.mjs";
import "../copy.test.mjs";
import "../indexes.test.mjs";
