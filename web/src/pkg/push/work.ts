/**
 * `quiredb push` and `quiredb pull`: a deployment in a file or an archive to a real one, and back.
 *
 * Invariants: the number returned is the exit code: 0 where all was copied and compared, 1 where something is not as it
 * should be or the work was stopped, 2 where it could not begin; each mistake is one line; `--dry-run` writes nothing.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gather } from "../../state/data/dump-files.ts";
import { restore } from "../../state/data/restoring.ts";
import { findDriver, openByDriver, type Place, PlaceError, shownAddress } from "../data/driver-place.ts";
import { Engine } from "../engine.ts";
import { filesAt, unfit } from "../data/files.ts";
import { type Around, openPlace, READING } from "../data/place.ts";
import { dump } from "../data/transfer.ts";
import { copied, type CopyOptions, finished, planned, type Side, standsInTheWay, told } from "./copy.ts";
import { Stopped } from "./copying.ts";
import { Follower } from "./follow.ts";
import type { PullOptions, PushOptions } from "./options.ts";
import { deploymentAt, wordsOf } from "./places.ts";
import { counted, Progress, type Screen } from "./progress.ts";
import { StateFile, statePath } from "./state-file.ts";

/** The means of the program. */
export interface Means {
  readonly around: Around;
  /** Where the progress is told. */
  readonly screen: Screen;
  write(text: string): void;
  /** Resolves when somebody wants the work to end. */
  ended(): Promise<void>;
}

const FILLING = { make: true, still: true };

/** The deployment of an archive or a folder, in a file of its own that goes with the work. */
async function unpacked(source: string, around: Around): Promise<Place> {
  if (source !== "-" && !existsSync(source)) throw new PlaceError(`${source}: there is no such file`);
  const { parts, faults } = await gather(await filesAt(source), "test");
  const [fault] = faults;
  if (fault !== undefined) throw new PlaceError(`${fault.label}: ${wordsOf(fault.error)}`);
  if (parts.length === 0) throw new PlaceError(`${source} has nothing in it to push`);
  const words = unfit(parts);
  if (words !== null) throw new PlaceError(words);
  const folder = await mkdtemp(path.join(tmpdir(), "quiredb-push-"));
  const discard = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const place = await openPlace({ data: path.join(folder, "data.quire") }, around, FILLING);
    const targets = parts.map((part) => ({ part, database: part.database, collection: part.collection }));
    const job = { drop: false, stopAtFirst: false, signal: new AbortController().signal, progress: () => undefined };
    const outcomes = await restore(place, { ...job, targets });
    for (const { target, failed, failures, problems, complete } of outcomes)
      if (failed > 0 || problems.length > 0 || !complete) {
        await place.close();
        const why = wordsOf(problems[0] ?? failures[0]?.message ?? "it ends too early");
        throw new PlaceError(`${source}: ${target.database}.${target.collection} cannot be read whole: ${why}`);
      }
    return { commandBytes: place.commandBytes, close: () => place.close().finally(discard) };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** An empty deployment in memory, for a file that is not there and is not to be made. */
async function empty(): Promise<Place> {
  const engine = await Engine.create();
  return { commandBytes: async (command) => engine.command(command), close: async () => engine.close() };
}

interface Work {
  readonly verb: "push" | "pull";
  readonly uri: string;
  readonly database: string | null;
  readonly drop: boolean;
  readonly dryRun: boolean;
  readonly wishes: CopyOptions["wishes"];
  readonly follow: boolean;
  /** The file beside which the state is kept; null for none. */
  readonly beside: string | null;
  /** The data that are here, as they are called. */
  readonly hereName: string;
}

async function carriedOut(work: Work, here: Place, far: Place, means: Means): Promise<0 | 1 | 2> {
  const { verb, uri, database, drop, dryRun } = work;
  const shown = shownAddress(uri);
  const progress = new Progress(means.screen);
  const stopping = new AbortController();
  let isOver = false;
  void means.ended().then(() => {
    if (!isOver) stopping.abort();
  });
  const state = new StateFile(
    work.beside === null ? null : statePath(work.beside, work.follow ? "follow" : verb, uri, database),
    verb === "push" ? `${work.hereName} to ${shown}` : `${shown} to ${work.hereName}`,
    new Date(),
  );
  const sides: readonly [Side, Side] = [
    { place: here, name: work.hereName },
    { place: far, name: shown },
  ];
  const [from, to] = verb === "push" ? sides : [sides[1], sides[0]];
  const again = state.path === null ? "" : "; the same command goes on where it stopped";
  try {
    const deployment = await deploymentAt(far);
    const options: CopyOptions = {
      from,
      to,
      here: verb === "push" ? "from" : "to",
      database,
      drop,
      wishes: work.wishes,
      far: deployment,
      state,
      followed: work.follow,
      progress,
      signal: stopping.signal,
    };
    const goesOn = (): void => {
      if (state.resumes)
        progress.line(`goes on with what was begun on ${state.kept.begun}; to begin anew, delete ${state.path}`);
    };
    if (state.kept.follows === true && !dryRun) {
      goesOn();
      return await follow(options, null);
    }
    const plan = await planned(options);
    const obstacle = standsInTheWay(plan, to.name, drop);
    if (dryRun) {
      means.write(`${shown} is a ${deployment.kind}, version ${deployment.version}\n`);
      for (const line of told(plan, drop)) means.write(`${line}\n`);
      means.write("nothing was written\n");
      return obstacle === null ? 0 : 1;
    }
    for (const note of plan.notes) progress.line(note);
    if (obstacle !== null) throw new PlaceError(obstacle);
    goesOn();
    if (work.follow) return await follow(options, plan);
    const { documents, problems } = await copied(plan, options);
    progress.end();
    const views = plan.parts.filter(({ listed }) => listed.type === "view").length;
    const what =
      `${counted(documents, "document")} of ${counted(plan.parts.length - views, "collection")}` +
      (views === 0 ? "" : `, ${counted(views, "view")},`);
    if (problems > 0) {
      progress.line(`${what}; ${counted(problems, "problem")}, told above${again}`);
      return 1;
    }
    state.remove();
    progress.line(`${what} ${verb === "push" ? "pushed to" : "pulled from"} ${shown}; counts and hashes agree`);
    return 0;
  } catch (error) {
    progress.end();
    if (error instanceof Stopped) {
      progress.line(`stopped${again}`);
      return 1;
    }
    const hasBegun = Object.keys(state.kept.collections).length > 0;
    if (hasBegun && error instanceof PlaceError) throw new PlaceError(`${error.message}${again}`);
    throw error instanceof PlaceError ? error : worded(error);
  } finally {
    isOver = true;
  }
}

/** A refusal in words that say what to do. */
function worded(error: unknown): unknown {
  const words = wordsOf(error);
  return error instanceof Error && words !== error.message ? new PlaceError(words) : error;
}

/** Copies, unless that is done, and then brings changes until somebody wants it to end. */
async function follow(options: CopyOptions, plan: Awaited<ReturnType<typeof planned>> | null): Promise<0 | 1> {
  const { from, to, database, state, progress, signal } = options;
  let problems = 0;
  const follower = new Follower({
    from,
    to,
    database,
    state,
    progress,
    signal,
    async caughtUp() {
      if (plan !== null) problems += await finished(plan, options);
      state.kept.follows = true;
      state.save();
      progress.line(`follows ${from.name}: Ctrl+C ends it, and the same command goes on`);
    },
  });
  await follower.begin();
  if (plan !== null) problems += (await copied(plan, options)).problems;
  if (problems > 0) {
    progress.line(`${counted(problems, "problem")}, told above; nothing is followed before all is copied`);
    return 1;
  }
  await follower.run();
  progress.line("stopped; the same command goes on where it stopped");
  return problems === 0 ? 0 : 1;
}

/** Opens both, the one that is here first: a misspelt name is told at once. */
async function between(
  open: () => Promise<Place>,
  uri: string,
  means: Means,
  work: (here: Place, far: Place) => Promise<0 | 1 | 2>,
): Promise<0 | 1 | 2> {
  const here = await open();
  try {
    const far = await openByDriver(await findDriver(means.around.folder, means.around.beside), uri);
    try {
      return await work(here, far);
    } finally {
      await far.close();
    }
  } finally {
    await here.close();
  }
}

export async function push(options: PushOptions, means: Means): Promise<number> {
  const { uri, source, database, drop, dryRun, wishes } = options;
  const hereName = "data" in source ? source.data : source.archive;
  const open = (): Promise<Place> =>
    "data" in source ? openPlace(source, means.around, READING) : unpacked(source.archive, means.around);
  const beside = hereName === "-" ? null : hereName;
  const work: Work = { verb: "push", uri, database, drop, dryRun, wishes, follow: false, beside, hereName };
  return between(open, uri, means, (here, far) => carriedOut(work, here, far, means));
}

export async function pull(options: PullOptions, means: Means): Promise<number> {
  const { uri, target, database, drop, dryRun, follow } = options;
  const isArchive = "out" in target;
  const data = isArchive ? `${target.out}.part.quire` : target.data;
  const isNew = !existsSync(data);
  const hereName = isArchive ? target.out : target.data;
  const work: Work = { verb: "pull", uri, database, drop, dryRun, wishes: [], follow, beside: data, hereName };
  const code = await between(
    () => (dryRun && isNew ? empty() : openPlace({ data }, means.around, FILLING)),
    uri,
    means,
    async (here, far) => {
      const done = await carriedOut(work, here, far, means);
      if (isArchive && done === 0 && !dryRun) {
        const gzip = target.out.endsWith(".gz");
        await dump(here, { where: { data }, database: null, out: target.out, gzip }, (text) =>
          means.screen.write(text),
        );
      }
      return done;
    },
  ).catch(async (error: unknown) => {
    // A file that was made for nothing.
    if (isNew && !existsSync(statePath(data, follow ? "follow" : "pull", uri, database)))
      await rm(data, { force: true });
    throw error;
  });
  if (isArchive && code === 0) await rm(data, { force: true });
  return code;
}
