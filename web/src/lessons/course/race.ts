/**
 * The adversary of a task: two programs with the reader's script, of which the second calls between two commands of the
 * first, or the power fails there.
 *
 * Invariants: pure; each program has the script's names to itself, as two processes have, and shares only the data with
 * the other; which point is tried is said by the caller, so that the same points come in the same order every time;
 * after the power failed no command of the first program reaches the data, and its open transactions are over.
 */

/** What the two programs do. */
export interface Race {
  /** Where it stands in `scripts.md`. */
  readonly line: number;
  /** The calls of the first and the second program, as the author wrote them; null: each runs the whole script. */
  readonly calls: readonly [string, string] | null;
  /** The second program comes between two commands of the first. */
  readonly between: boolean;
  /** The power fails between two commands of the first program. */
  readonly cut: boolean;
}

/**
 * A place in the first program: before its command of this number (from 0), the second calls or the power fails;
 * `after`: the second calls when the first has ended; `alone`: there is no second.
 */
export interface Point {
  readonly kind: "after" | "between" | "cut" | "alone";
  readonly at: number;
}

/** A command of one of the programs, with what it gave. */
export interface Step {
  readonly by: "first" | "second";
  readonly database: string;
  readonly command: Readonly<Record<string, unknown>>;
  readonly reply: Readonly<Record<string, unknown>>;
}

/** How two programs met, for the reader to follow. */
export interface Interleaving {
  readonly race: Race;
  readonly kind: Point["kind"];
  /** How many steps were made before the second program began or the power failed. */
  readonly at: number;
  readonly steps: readonly Step[];
}

/** What a run of the two programs gave. */
export interface Raced {
  /** How many commands the first program sent. */
  readonly mine: number;
  /** Empty where they were not noted. */
  readonly steps: readonly Step[];
  /** The message of the error that ended a program's call; null where none did. */
  readonly errors: readonly [string | null, string | null];
}

/** Points of one race that are tried at most: the first few, and the last ones, where a call usually writes. */
const MOST_FIRST = 4;
const MOST_LAST = 12;

/** The points that are tried, where the first program sends so many commands; the plain order was tried before. */
export function pointsOf({ between, cut }: Pick<Race, "between" | "cut">, commands: number): readonly Point[] {
  const places = Array.from({ length: Math.max(0, commands - 1) }, (_, at) => at + 1);
  const kept =
    places.length > MOST_FIRST + MOST_LAST ? [...places.slice(0, MOST_FIRST), ...places.slice(-MOST_LAST)] : places;
  const kinds = [...(between ? (["between"] as const) : []), ...(cut ? (["cut"] as const) : [])];
  return kinds.flatMap((kind) => kept.map((at): Point => ({ kind, at })));
}

/** Documents of a command or a reply that are kept for the reader to see. */
const MOST_DOCUMENTS = 3;
/** The error of a write in a transaction that meets another open one. */
const WRITE_CONFLICT = 112;
/** At this conflict the second program's tries are over: its error has no label that says to try again. */
const MOST_CONFLICTS = 4;
/** Steps that are kept. */
const MOST_STEPS = 120;

/**
 * The script that lets the two programs meet at a point. It begins on the data of the moment `before`, and its value is
 * a `Raced`.
 *
 * The calls are made inside the program's function, so that they mean the script's own names. An error of the script
 * itself is passed over here: the reader was told it by the script's own run. What a call left to promises is done
 * before it counts as ended, so that an `async` function meets the other program as any other does. `notes`: each
 * step is noted, which takes longer than all the rest.
 */
export function raceScript(
  source: string,
  { calls }: Pick<Race, "calls">,
  point: Point,
  before: string,
  notes: boolean,
): string {
  const [first, second] = calls ?? ["undefined", "undefined"];
  const at = point.kind === "between" || point.kind === "cut" ? point.at : -1;
  // `await` outside functions, as the shell has it, stands in the program's function here.
  const async = /\bawait\b/.test(source) ? "async " : "";
  return `(() => {
const $program = ${async}($take) => { $take([() => (${first}), () => (${second})]);
${source}
};
const $whole = ${String(calls === null)}, $at = ${String(at)}, $cut = ${String(point.kind === "cut")};
const $connection = db.getMongo().connection(), $steps = [];
const $settle = (value) => { __await$(Promise.resolve()); __await$(value) };
const $load = (which) => {
  if ($whole) return () => $program(() => undefined);
  let calls = [() => undefined, () => undefined];
  try { $settle($program((given) => { calls = given })) } catch (error) {}
  return calls[which];
};
const $second = $load(1);
const $endTransactions = () => db.adminCommand({ killAllSessions: [] });
if (!$whole) {
  $endTransactions();
  db.adminCommand({ quireRestore: ${JSON.stringify(before)} });
}
const $first = $load(0);
let $mine = 0, $by = "first", $off = false, $met = false, $refused = 0;
const $errors = [null, null];
const $call = (call, which) => {
  try { $settle(call()) } catch (error) {
    if (!$off) $errors[which] = String(error && error.message !== undefined ? error.message : error);
  }
};
const $copy = (value) => EJSON.parse(EJSON.stringify(value, { relaxed: false }), { relaxed: false });
const $few = (list) => Array.isArray(list) ? list.slice(0, ${MOST_DOCUMENTS}) : list;
const $short = (command) => {
  const { documents } = command;
  return $copy(documents ? { ...command, documents: $few(documents), $documents: documents.length } : command);
};
const $batch = (cursor) => cursor.firstBatch ?? cursor.nextBatch;
const $told = ({ ok, n, nModified, upserted, value, errmsg, writeErrors, cursor, values }) => $copy({
  ok: ok, n: n, nModified: nModified, upserted: $few(upserted), value: value, values: $few(values),
  error: errmsg ?? (writeErrors ? writeErrors[0].errmsg : undefined),
  ...(cursor ? { found: $few($batch(cursor)), count: $batch(cursor).length } : {}),
});
$connection.around = (database, command, send) => {
  if ($off) throw new Error("the power is off");
  if ($by === "first" && $mine++ === $at) {
    $met = true;
    if ($cut) { $off = true; throw new Error("the power failed") }
    $by = "second";
    $call($second, 1);
    $by = "first";
  }
  const noted = ${String(notes)} && $steps.length < ${MOST_STEPS};
  const step = noted ? { by: $by, database: database, command: $short(command) } : null;
  const reply = send();
  if (step !== null) $steps.push({ ...step, reply: $told(reply) });
  // While the second program is called, a document that the first one's transaction holds stays held.
  if ($by === "second" && reply.code === ${WRITE_CONFLICT} && ++$refused === ${MOST_CONFLICTS})
    throw new Error(reply.errmsg);
  return reply;
};
$call($first, 0);
$off = false;
if (${String(point.kind !== "alone")} && (!$met || $cut)) {
  const around = $connection.around;
  $connection.around = null;
  if ($cut) $endTransactions();
  $connection.around = around;
  $by = "second";
  $call($second, 1);
}
$connection.around = null;
return { mine: $mine, steps: $steps, errors: $errors };
})()`;
}

/** Reads what `raceScript` gave; null where it came to no end. */
export function readRaced(value: unknown): Raced | null {
  if (typeof value !== "object" || value === null) return null;
  const { mine, steps, errors } = value as Partial<Raced>;
  if (typeof mine !== "number" || !Array.isArray(steps) || !Array.isArray(errors)) return null;
  return { mine, steps: steps as readonly Step[], errors: errors as unknown as Raced["errors"] };
}

/** The interleaving as the reader is shown it. */
export function interleavingOf(race: Race, point: Point, { steps }: Raced): Interleaving {
  const first = steps.findIndex(({ by }) => by === "second");
  return { race, kind: point.kind, at: point.kind === "cut" ? point.at : first < 0 ? steps.length : first, steps };
}
