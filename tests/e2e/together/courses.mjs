/** In one process, with one browser and its tabs: courses in pages, and a reader's ways through them. */
import "../course-element.test.mjs";
import "../course-places.test.mjs";
import "../practice.test.mjs";
import "../capstone.test.mjs";
