/** In one process, with one browser and its tabs: how results are shown, and what is said of them. */
import "../results.test.mjs";
import "../result-views.test.mjs";
import "../errors.test.mjs";
import "../doubts.test.mjs";
import "../statements.test.mjs";
