/** In one process, with one browser and its tabs: the playground's desk. */
import "../playground.test.mjs";
import "../editor.test.mjs";
import "../room.test.mjs";
import "../look.test.mjs";
import "../share.test.mjs";
import "../tab-drag.test.mjs";
import "../in-sight.test.mjs";
