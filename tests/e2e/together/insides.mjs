/** In one process, with one browser and its tabs: plans, pages, pipelines, and the sandbox. */
import "../plan.test.mjs";
import "../insides.test.mjs";
import "../xray.test.mjs";
import "../pipeline.test.mjs";
import "../functions.test.mjs";
import "../sandbox.test.mjs";
import "../stop.test.mjs";
import "../syntax.test.mjs";
