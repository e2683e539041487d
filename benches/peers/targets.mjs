/**
 * The figures that Quire's exports are to reach. A target has cases, each with its name and the least or the most it
 * may be; one whose rows were not measured is said to be so.
 */

/** How far two medians of the same machine may be apart that are meant to be the same. */
const SAME = 0.9;
/** The rows of pipelines, and how many times faster than mingo Quire means to be. */
const PIPELINES = [
  ["group", 5],
  ["groupByTag", 5],
  ["lookUp", 5],
  ["dearest", 5],
  ["runningTotals", 3],
];

/**
 * All targets, over the rows that libraries share with Quire, `value(name, row)`, and `advantage(name, row, less)`: how
 * many times faster Quire in the caller's thread is than a library.
 */
export function targetsOf({ rows, peers, value, advantage }) {
  const ratio = (one, other) => (one === undefined || other === undefined ? undefined : one / other);
  const of = (name, row, limit) => ({ what: name, is: value(name, row), ...limit });
  const against = (name, chosen, least) =>
    chosen.map(({ key, text, less }) => ({ what: `${name}, ${text}`, is: advantage(name, key, less), least }));
  const row = (key) => rows.filter((one) => one.key === key);
  // A library in memory ends with its process: its stored size is measured of its persistent variant.
  const libraries = peers.filter((name) => name !== "plain");
  const durable = (name) => ({
    what: `${name} takes times as long`,
    is: ratio(value(name, "durable"), value("quire-idb", "durable")),
    least: 1,
  });
  return [
    {
      text: "worker client, one by one: at least 0.8 of the bare echo",
      cases: ["byId", "bySlug", "increment"].map((key) => ({
        what: `${key}, times the echo`,
        is: ratio(value("quire-client", key), value("quire-client", "echo")),
        least: 0.8,
      })),
    },
    {
      text: "worker client, 64 in flight: at least 50 000 reads by _id a second",
      cases: [of("quire-client", "byIdInFlight", { least: 50_000 })],
    },
    {
      text: "same thread: at least 150 000 reads by _id a second",
      cases: [of("quire-thread", "byId", { least: 150_000 })],
    },
    {
      text: "same thread: ahead of nedb in every row",
      cases: [...against("nedb", rows, 1), ...against("nedb-idb", rows, 1)],
    },
    {
      text: "$inc in IndexedDB, one by one: as fast as in memory",
      cases: [
        ["quire-idb", "quire-client"],
        ["quire-thread-idb", "quire-thread"],
      ].map(([name, other]) => ({
        what: `${name}, times ${other}`,
        is: ratio(value(name, "increment"), value(other, "increment")),
        least: SAME,
      })),
    },
    {
      text: "$inc in IndexedDB, 64 in flight: at least 20 000 a second",
      cases: [of("quire-idb", "incrementInFlight", { least: 20_000 })],
    },
    {
      text: "durable load: at most 1.5 times the load in memory",
      cases: [
        ["quire-idb", "quire-client"],
        ["quire-thread-idb", "quire-thread"],
      ].map(([name, other]) => ({
        what: `${name}, times ${other}`,
        is: ratio(value(name, "durable"), value(other, "load")),
        most: 1.5,
      })),
    },
    { text: "durable load: ahead of all that persist", cases: libraries.map(durable) },
    {
      text: "delete half in IndexedDB: at most 300 ms",
      cases: ["quire-idb", "quire-thread-idb"].map((name) => of(name, "delete", { most: 300 })),
    },
    {
      text: "reopen to the first answer: at most 100 ms",
      cases: ["quire-idb", "quire-thread-idb"].map((name) => of(name, "reopen", { most: 100 })),
    },
    {
      text: "first answer from a cold page: at most 1.3 times lokijs'",
      cases: ["quire-client", "quire-idb", "quire-thread", "quire-engine"].map((name) => ({
        what: `${name}, times loki`,
        is: ratio(value(name, "first"), value("loki", "first")),
        most: 1.3,
      })),
    },
    {
      text: "a script's insertMany and toArray of 100 000: at most 3 s each",
      cases: ["scriptIn", "scriptOut"].map((key) => of("quire-snippet-page", key, { most: 3000 })),
    },
    {
      text: "a script's 10 000 insertOne: at most 1.5 s",
      cases: [of("quire-snippet-page", "scriptLoop", { most: 1500 })],
    },
    ...["sqljs", "mingo"].map((name) => ({
      text: `same thread: ahead of ${name} in every row`,
      cases: against(name, rows, 1),
    })),
    { text: "same thread: loading takes at most 1.5 times rxdb's time", cases: against("rxdb", row("load"), 1 / 1.5) },
    {
      text: "same thread: the unindexed filter takes at most twice lokijs' time",
      cases: against("loki", row("scan"), 0.5),
    },
    ...PIPELINES.map(([key, least]) => ({
      text: `same thread: ${row(key)[0].text}: at least ${least} times mingo's`,
      cases: against("mingo", row(key), least),
    })),
    {
      text: "same thread: first in every row (the last word)",
      cases: libraries.flatMap((name) => against(name, rows, 1)),
    },
  ];
}
