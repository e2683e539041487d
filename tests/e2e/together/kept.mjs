/** In one process, with one browser: what is kept, what is lost and said, and what long work holds up. */
import "../durable.test.mjs";
import "../tabs.test.mjs";
import "../faults.test.mjs";
import "../notices.test.mjs";
import "../memory.test.mjs";
import "../long-batches.test.mjs";
import "../hold-ups.test.mjs";
import "../missed-parts.test.mjs";
