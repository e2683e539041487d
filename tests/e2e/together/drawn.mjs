/** In one process, with one browser and its tabs: what is drawn of the data, and of their past. */
import "../model.test.mjs";
import "../timeline.test.mjs";
import "../page-faults.test.mjs";
