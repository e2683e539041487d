/** The tables of the bench: medians, ratios of Quire to each library, and whether each target is reached. */
import { targetsOf } from "./targets.mjs";

/** Every row: its key, its title, whether less is better (milliseconds) or more (operations a second). */
export const ROWS = [
  ["load", "insert all, 3 indexes (ms)", true],
  ["durable", "insert all until durable (ms)", true],
  ["reopen", "browser restarted, first answer (ms)", true],
  ["byId", "read by _id (/s)", false],
  ["bySlug", "read by slug (/s)", false],
  ["range", "range of 20, sorted (/s)", false],
  ["byTag", "tag, limit 20 (/s)", false],
  ["scan", "unindexed filter (ms)", true],
  ["group", "group over all (ms)", true],
  ["increment", "$inc by _id (/s)", false],
  ["delete", "delete half (ms)", true],
  ["first", "cold page, first answer (ms)", true],
  ["byIdInFlight", "64 in flight: by _id (/s)", false],
  ["bySlugInFlight", "64 in flight: by slug (/s)", false],
  ["incrementInFlight", "64 in flight: $inc (/s)", false],
  ["echo", "bare echo, one by one (/s)", false],
  ["echoInFlight", "bare echo, 64 in flight (/s)", false],
  ["echoTogether", "bare echo, 64 in a message (/s)", false],
  ["groupByTag", "unwind, group by tag (ms)", true],
  ["lookUp", "lookup of 10k orders (ms)", true],
  ["dearest", "sort unindexed, limit 20 (ms)", true],
  ["runningTotals", "running total of 10k (ms)", true],
  ["allRunningTotals", "running total of all (ms)", true],
  ["scriptIn", "script: insertMany of all (ms)", true],
  ["scriptOut", "script: toArray of all (ms)", true],
  ["scriptLoop", "script: a tenth by insertOne (ms)", true],
];
/** The rows in which a library is compared with Quire: rows of Quire alone show limits. */
const SHARED = ROWS.filter(([key]) => !/^echo|^script|InFlight$/.test(key));
/** The columns of a table, so that it fits a terminal. */
const COLUMNS = 8;

export function median(values) {
  const sorted = values.filter(Number.isFinite).sort((one, other) => one - other);
  if (sorted.length === 0) return undefined;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function shown(value) {
  if (value === undefined) return "-";
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(2);
}

export function table(heading, rows, names, cell) {
  const used = rows.filter(([key, , less]) => names.some((name) => cell(name, key, less) !== "-"));
  const width = Math.max(...rows.map(([, text]) => text.length));
  for (let i = 0; i < names.length; i += COLUMNS) {
    const some = names.slice(i, i + COLUMNS);
    const widths = some.map((name) => Math.max(9, name.length + 2));
    console.log(`\n${heading}\n${"".padEnd(width)} ${some.map((name, at) => name.padStart(widths[at])).join("")}`);
    for (const [key, text, less] of used) {
      console.log(
        `${text.padEnd(width)} ${some.map((name, at) => cell(name, key, less).padStart(widths[at])).join("")}`,
      );
    }
  }
}

/** Prints whether each target is reached. */
export function verdicts(asked) {
  if (asked.length > 0) console.log("\nTargets:");
  for (const { text, cases } of asked) {
    const known = cases.filter(({ is }) => Number.isFinite(is));
    const short = known.filter(({ is, least, most }) => is < (least ?? -Infinity) || is > (most ?? Infinity));
    console.log(
      `  ${(known.length === 0 ? "not measured" : short.length === 0 ? "met" : "NOT MET").padEnd(13)} ${text}`,
    );
    for (const { what, is } of known.length <= 3 ? known : short)
      console.log(`${"".padEnd(18)}${what}: ${is >= 100 ? Math.round(is) : is.toFixed(2)}`);
  }
}

/** Prints wrong answers and failures; false when Quire had one. */
export function tellTroubles(results) {
  const troubles = [...results].flatMap(([name, runs]) =>
    runs.flatMap(({ wrong }) => wrong.map((text) => `${name}: ${text}`)),
  );
  if (troubles.length > 0) console.log(`\nWrong answers and failures:\n  ${[...new Set(troubles)].join("\n  ")}`);
  return !troubles.some((text) => text.startsWith("quire"));
}

/** Prints everything; false when Quire gave a wrong answer. */
export function report(results, count, targets = targetsOf) {
  const own = (name) => name.startsWith("quire");
  const names = [...results.keys()].sort((one, other) => own(other) - own(one) || (one < other ? -1 : 1));
  const value = (name, key) => median((results.get(name) ?? []).map(({ rows }) => rows[key]));
  table(`${count} products, medians:`, ROWS, names, (name, key) => shown(value(name, key)));

  // A library in memory is held against Quire in memory beside the caller, one that persists against Quire in IndexedDB
  // there.
  const peers = names.filter((name) => !own(name));
  const persistent = (name) => value(name, "durable") !== undefined;
  const advantage = (name, key, less) => {
    const [own, other] = [value(persistent(name) ? "quire-thread-idb" : "quire-thread", key), value(name, key)];
    if (own === undefined || other === undefined) return undefined;
    return less ? other / own : own / other;
  };
  if (peers.length > 0) {
    table("How many times faster Quire in the same thread is (below 1: slower):", SHARED, peers, (name, key, less) => {
      const times = advantage(name, key, less);
      return times === undefined ? "-" : times.toFixed(2);
    });
  }

  const rows = SHARED.map(([key, text, less]) => ({ key, text, less }));
  const asked = targets({ rows, peers, value, advantage });
  verdicts(asked);
  return tellTroubles(results);
}
