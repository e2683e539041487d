/**
 * Faults that the code once had, or could have, each put back so that the simulation proves that it would find it: as a
 * change of a source file while it is bundled, or as a lie of the simulated storage to the engine.
 *
 * Invariants: nothing on the disk is changed. A change whose text is not in the file any more fails, and is to be
 * worded anew. `within` is how many seeds the simulation has to find the fault, from 1 on; `focus` what befalls every
 * epoch meanwhile.
 */

/** Records of the header, by their keys in the store `meta`. */
const HEADERS = [0, -1];

const PERSISTENCE = "web/src/worker/persistence.ts";
const FLUSHING = "web/src/worker/flushing.ts";
const TAB_LOCK = "web/src/worker/tab-lock.ts";
const COMMANDS = "web/src/worker/commands.ts";

export const faults = [
  {
    name: "memory-instead",
    focus: ["no opening"],
    what: "a deployment that cannot be opened is an empty one in memory",
    patches: { [PERSISTENCE]: [["if (deployment.orMemory !== true) throw error;", ""]] },
  },
  {
    name: "insert-many-unheard",
    focus: ["full"],
    what: "insertMany and bulkWrite resolve although storage failed",
    patches: {
      "web/src/shell/write-batches.ts": [
        ['if (reply["writeConcernError"] !== undefined) return reply;', "if (Number.isNaN(0)) return reply;"],
      ],
    },
  },
  {
    name: "drop-unheard",
    focus: ["full"],
    what: "createIndex, drop and all other commands but writes resolve although storage failed",
    patches: {
      "web/src/driver/connection.ts": [
        ["return reply instanceof Promise ? reply.then(confirmed) : confirmed(reply);", "return reply;"],
      ],
    },
  },
  {
    name: "never-unjournaled",
    focus: ["full"],
    what: "no reply says that storage has not confirmed a journaled write",
    patches: { [COMMANDS]: [['(end === "unsaved" && !asked)', 'end === "unsaved"']] },
  },
  {
    name: "displaced-unheard",
    focus: ["freezes"],
    what: "a write that another tab's taking over undid is acknowledged",
    patches: {
      [COMMANDS]: [['if (end === "saved" ||', 'if (end === "saved" || end === "displaced" ||']],
      [PERSISTENCE]: [['end === "displaced" && tries > 0', "Number.isNaN(0)"]],
    },
  },
  {
    name: "missing-header",
    focus: ["no header"],
    what: "pages without a header are a new deployment",
    putBack: ({ disk }) => {
      disk.hides = (store, _key, stores) =>
        store === "pages" && !HEADERS.some((header) => stores.get("meta").has(header));
    },
  },
  {
    name: "single-header",
    focus: ["half a header"],
    what: "the header is kept once",
    putBack: ({ disk }) => {
      disk.hides = (store, key) => store === "meta" && key === HEADERS[1];
    },
  },
  {
    name: "no-theft",
    focus: ["freezes"],
    what: "a frozen tab keeps the lock until it thaws",
    patches: {
      [TAB_LOCK]: [
        [
          "performance.now() - this.#lastAnswerMillis < UNANSWERED_MILLIS",
          "performance.now() - this.#lastAnswerMillis < Infinity",
        ],
      ],
    },
  },
  {
    name: "full-for-ever",
    focus: ["full"],
    what: "once storage was full nothing is written any more",
    patches: {
      [FLUSHING]: [
        [
          "await engine.flush(false, again);",
          'if (engine.status().mode === "full") throw new Error("full");\n      await engine.flush(false, again);',
        ],
      ],
    },
  },
  {
    name: "stale-tab",
    what: "a tab does not read what others stored",
    patches: { [PERSISTENCE]: [["if (await this.#engine.reload())", "if (Number.isNaN(0))"]] },
  },
  {
    name: "journal-at-once",
    focus: ["kills"],
    what: "a journaled write is acknowledged when it is applied",
    patches: {
      [COMMANDS]: [['(end === "unsaved" && !asked)', 'end === "unsaved"']],
      [FLUSHING]: [["|| engine.askedJournal) {", ") {"]],
    },
  },
  {
    name: "other-group",
    focus: ["kills"],
    what: "a write tells those who wait for the next one",
    patches: {
      [FLUSHING]: [
        [
          'for (const waiter of waiting) waiter.over("saved");',
          'for (const waiter of [...waiting, ...this.#group.waiting.splice(0)]) waiter.over("saved");',
        ],
      ],
    },
  },
  {
    name: "open-after-close",
    what: "a closed client opens the deployment anew",
    patches: { "web/src/driver/client.ts": [["this.#closed = true;", ""]] },
  },
].map((fault) => ({ within: 60, focus: [], ...fault }));
