/**
 * The tables of the bench: medians, ratios of Quire to each library, and whether each target is reached.
 *
 * Values are documents per second (more is better) but for `reopen` and `first`, which are milliseconds.
 */

/** Every row: its key, what it is, whether less is better. */
export const ROWS = [
  ["load", "insert all, 3 indexes (docs/s)", false],
  ["byId", "read by _id (docs/s)", false],
  ["bySlug", "read by slug (docs/s)", false],
  ["range", "range of 20, sorted (docs/s)", false],
  ["byTag", "tag, limit 20 (docs/s)", false],
  ["scan", "unindexed filter (docs/s)", false],
  ["group", "group over all (docs/s)", false],
  ["groupByTag", "unwind, group by tag (docs/s)", false],
  ["lookUp", "lookup of 10k orders (docs/s)", false],
  ["dearest", "sort unindexed, limit 20 (docs/s)", false],
  ["runningTotals", "running total of 10k (docs/s)", false],
  ["allRunningTotals", "running total of all (docs/s)", false],
  ["increment", "$inc by _id (docs/s)", false],
  ["delete", "delete half (docs/s)", false],
  ["durable", "insert all until durable (docs/s)", false],
  ["reopen", "reopen, first answer (ms)", true],
  ["first", "first answer, cold page (ms)", true],
];
/** The rows of pipelines, and how many times faster than mingo Quire means to be. */
const PIPELINES = [["group", 5], ["groupByTag", 5], ["lookUp", 5], ["dearest", 5], ["runningTotals", 3]];
const DURABLE = new Set(["durable", "reopen"]);

function median(values) {
  const sorted = values.filter(Number.isFinite).sort((one, other) => one - other);
  if (sorted.length === 0) return undefined;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function shown(value) {
  if (value === undefined) return "-";
  if (value >= 10000) return `${Math.round(value / 1000)}k`;
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(2);
}

function table(heading, names, cell) {
  const width = Math.max(...ROWS.map(([, text]) => text.length));
  console.log(`\n${heading}\n${"".padEnd(width)} ${names.map((name) => name.padStart(10)).join("")}`);
  for (const [key, text, less] of ROWS) {
    console.log(`${text.padEnd(width)} ${names.map((name) => cell(name, key, less).padStart(10)).join("")}`);
  }
}

/** Prints everything; false when Quire gave a wrong answer. */
export function report(results, count) {
  const medians = new Map([...results].map(([name, runs]) => [
    name, Object.fromEntries(ROWS.map(([key]) => [key, median(runs.map(({ rows }) => rows[key]))])),
  ]));
  const names = [...results.keys()];
  table(`${count} products, medians:`, names, (name, key) => shown(medians.get(name)[key]));

  // What Quire stores in memory is held against the others in memory, what it keeps against what they keep.
  const ours = (key) => medians.get(DURABLE.has(key) ? "quire-idb" : "quire")?.[key];
  const advantage = (name, key, less) => {
    const [own, other] = [ours(key), medians.get(name)?.[key]];
    if (own === undefined || other === undefined) return undefined;
    return less ? other / own : own / other;
  };
  const others = names.filter((name) => !name.startsWith("quire"));
  table("How many times faster Quire is (below 1: slower):", others, (name, key, less) => {
    const times = advantage(name, key, less);
    return times === undefined ? "-" : times.toFixed(2);
  });

  console.log("\nTargets:");
  const verdict = (text, comparisons) => {
    const short = comparisons.filter(({ times, least }) => times < least);
    const words = comparisons.length === 0 ? "not measured" : short.length === 0 ? "reached" : "NOT REACHED";
    console.log(`  ${words.padEnd(13)} ${text}`);
    for (const { name, row, times } of short) console.log(`${"".padEnd(18)}${name}, ${row}: ${times.toFixed(2)} times`);
  };
  const against = (name, rows, least) => rows.flatMap(([key, row, less]) => {
    const times = advantage(name, key, less);
    return times === undefined ? [] : [{ name, row, times, least }];
  });
  const row = (key) => ROWS.filter(([name]) => name === key);
  const kept = ROWS.filter(([key]) => DURABLE.has(key));
  for (const name of ["sqljs", "mingo", "nedb"]) {
    verdict(`ahead of ${name} in every row`, [...against(name, ROWS, 1), ...against(`${name}-idb`, kept, 1)]);
  }
  verdict("loading takes at most 1.5 times rxdb's time", against("rxdb", row("load"), 1 / 1.5));
  verdict("reads by _id at least rxdb's", against("rxdb", row("byId"), 1));
  verdict("the unindexed filter takes at most twice lokijs' time", against("loki", row("scan"), 0.5));
  verdict("durable load ahead of all that persist", others.flatMap((name) => against(name, row("durable"), 1)));
  for (const [key, least] of PIPELINES) {
    const [[, text]] = row(key);
    verdict(`${text}: at least ${least} times mingo's`, against("mingo", row(key), least));
  }
  const libraries = others.filter((name) => name !== "plain");
  // Of a library that is measured in memory too, the persistent variant counts only where it persists.
  const rows = (name) => (name.endsWith("-idb") ? kept : ROWS);
  verdict("first in every row (the last word)", libraries.flatMap((name) => against(name, rows(name), 1)));

  const loops = [...PIPELINES, ["allRunningTotals"]].flatMap(([key]) => {
    const [own, loop] = [ours(key), medians.get("plain")?.[key]];
    return own === undefined || loop === undefined ? [] : [[row(key)[0][1], loop / own]];
  });
  if (loops.length > 0) {
    console.log("\nHow many times faster a hand-written JavaScript loop over decoded objects is:");
    for (const [text, times] of loops) console.log(`  ${times.toFixed(2).padStart(6)}  ${text}`);
  }

  const troubles = [...results].flatMap(([name, runs]) => runs.flatMap(({ wrong }) => wrong.map((text) => `${name}: ${text}`)));
  if (troubles.length > 0) console.log(`\nWrong answers and failures:\n  ${[...new Set(troubles)].join("\n  ")}`);
  return !troubles.some((text) => text.startsWith("quire"));
}
