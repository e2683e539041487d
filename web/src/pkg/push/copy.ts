/**
 * Databases from one deployment to another: what would be done, and the doing of it.
 *
 * Invariants: nothing is written before all is known that can be; a collection that the work did not begin is never
 * added to, and dropped only when that was asked for; views come last, indexes behind the documents, and what lets
 * documents expire behind the comparison of both sides. The source is only read.
 */
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";

import { ask, judged as judgedReply, Refusal, type Commander } from "../../state/data/ask.ts";
import { withDocuments } from "../../state/data/bytes.ts";
import { PlaceError } from "../data/driver-place.ts";
import { copyDocuments, digestAt, Mismatch, persistently, Stopped } from "./copying.ts";
import type { Digest } from "./digest.ts";
import {
  collectionsOf,
  createCommand,
  databasesOf,
  type Deployment,
  indexesOf,
  isHopeless,
  isPassing,
  type Listed,
  type ListedIndex,
  wordsOf,
} from "./places.ts";
import { counted, figure, type Progress } from "./progress.ts";
import { judge, keyText, recommend, type ShardKey, type Wish } from "./shard-key.ts";
import type { Progressed, StateFile } from "./state-file.ts";

/** A deployment as messages call it. */
export interface Side {
  readonly place: Commander;
  readonly name: string;
}

export interface CopyOptions {
  readonly from: Side;
  readonly to: Side;
  /** The place of the two that is here. */
  readonly here: "from" | "to";
  /** One database alone; null for all. */
  readonly database: string | null;
  readonly drop: boolean;
  readonly wishes: readonly Wish[];
  /** What the far side is. */
  readonly far: Deployment;
  readonly state: StateFile;
  /** Documents may change in the source meanwhile, and the changes are brought later. */
  readonly followed: boolean;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** A collection or view that goes over. */
export interface Planned {
  readonly listed: Listed;
  readonly indexes: readonly ListedIndex[];
  readonly documents: number;
  /** It is there already, and is not of this work. */
  readonly stands: boolean;
  /** The key by which it is sharded there. */
  readonly shardKey: ShardKey | null;
}

export interface Plan {
  readonly parts: readonly Planned[];
  readonly notes: readonly string[];
}

const NOT_FOUND = 26;
const EXISTS = 48;

/** Looks at both sides. Throws a `PlaceError` where it cannot be done. */
export async function planned(options: CopyOptions): Promise<Plan> {
  const { from, to, database, wishes, far, state } = options;
  const notes: string[] = [];
  const parts: Planned[] = [];
  for (const name of await databasesOf(from.place, database, from.name)) {
    const { listed: all, leftOut } = await collectionsOf(from.place, name);
    for (const left of leftOut) notes.push(`${left} is a server's own, and left out`);
    const there = new Map((await collectionsOf(to.place, name)).listed.map((one) => [one.name, one]));
    for (const listed of all) {
      const isView = listed.type === "view";
      const { n = 0 } = isView ? {} : await ask(from.place, name, { count: listed.name });
      const target = there.get(listed.name);
      // Somebody has dropped it since.
      if (target === undefined) delete state.kept.collections[listed.namespace];
      parts.push({
        listed,
        indexes: isView ? [] : await indexesOf(from.place, name, listed.name),
        documents: Number(n),
        stands: target !== undefined && !(await isOurs(to.place, target, state.kept.collections[listed.namespace])),
        shardKey: null,
      });
    }
  }
  if (parts.length === 0) throw new PlaceError(`${from.name} has no collections: there is nothing to copy`);
  return { parts: await sharded(parts, wishes, far, from, notes), notes };
}

/** Whether a collection that is there was begun by this work. */
async function isOurs(place: Commander, target: Listed, begun: Progressed | undefined): Promise<boolean> {
  if (begun === undefined) return false;
  if (begun.uuid !== null || target.uuid === null) return begun.uuid === target.uuid;
  // It was killed between making it and writing that down.
  return Number((await ask(place, target.database, { count: target.name }))["n"]) === 0;
}

async function sharded(
  parts: readonly Planned[],
  wishes: readonly Wish[],
  far: Deployment,
  from: Side,
  notes: string[],
): Promise<readonly Planned[]> {
  const keys = new Map<string, ShardKey>();
  for (const { namespace, key } of wishes) {
    const part = parts.find(({ listed }) => listed.namespace === namespace);
    if (part === undefined)
      throw new PlaceError(
        `--shard-key names ${namespace}, and there is no such collection: ` +
          `DATABASE.COLLECTION, as ${parts[0]?.listed.namespace}`,
      );
    if (keys.has(namespace)) throw new PlaceError(`--shard-key names ${namespace} twice`);
    const { listed, indexes } = part;
    const found =
      key === null
        ? await recommend(from.place, listed, indexes)
        : { ...(await judge(from.place, listed, indexes, key)), reason: "" };
    if (found.refusal !== null)
      throw new PlaceError(`${namespace} cannot be sharded by ${keyText(found.key)}: ${found.refusal}`);
    const text = `${namespace}: shard key ${keyText(found.key)}`;
    notes.push(found.reason === "" ? text : `${text}, since ${found.reason}`);
    for (const warning of found.warnings) notes.push(`  ${warning}`);
    if (far.kind === "sharded cluster") keys.set(namespace, found.key);
    else notes.push(`  the far side is a ${far.kind} and no sharded cluster: the collection is not sharded there`);
  }
  return parts.map((part) => ({ ...part, shardKey: keys.get(part.listed.namespace) ?? null }));
}

/** The plan in words. */
export function told({ parts, notes }: Plan, drop: boolean): string[] {
  const lines = parts.map(({ listed, indexes, documents, stands }) => {
    if (listed.type === "view") return `${listed.namespace}: a view${stands ? standing(drop) : ""}`;
    const facts = [
      counted(documents, "document"),
      ...(indexes.length === 0 ? [] : [counted(indexes.length, "index")]),
      ...(listed.hasValidator ? ["a validator"] : []),
      ...(listed.isCapped ? ["capped"] : []),
      ...(listed.type === "timeseries" ? ["a time series"] : []),
    ];
    return `${listed.namespace}: ${facts.join(", ")}${stands ? standing(drop) : ""}`;
  });
  return [...lines, ...notes];
}
const standing = (drop: boolean): string =>
  drop ? "; it is there already, and would be dropped" : "; it is there already, and --drop would replace it";

/** Why the plan may not be done; null when it may. */
export function standsInTheWay({ parts }: Plan, to: string, drop: boolean): string | null {
  const standing = parts.filter(({ stands }) => stands).map(({ listed }) => listed.namespace);
  if (drop || standing.length === 0) return null;
  const [first, ...others] = standing;
  const more = others.length === 0 ? "" : ` and ${figure(others.length)} more`;
  return `${to} has ${first}${more} already: --drop replaces what is there`;
}

export interface Copied {
  readonly documents: number;
  /** Problems, each told when it was met. */
  readonly problems: number;
}

/** Copies all; throws where no collection can be copied any more. */
export async function copied(plan: Plan, options: CopyOptions): Promise<Copied> {
  const { progress, state } = options;
  let documents = 0;
  let problems = 0;
  // Indexes of a collection that changes meanwhile wait for the changes.
  for (const part of plan.parts) {
    const { namespace, type } = part.listed;
    const begun = state.kept.collections[namespace];
    if (begun?.done === true && !part.stands) {
      progress.line(`${namespace}: was copied before`);
      documents += begun.documents;
      continue;
    }
    try {
      const one = new Copy(part, options);
      if (type === "view") await one.view();
      else documents += await one.collection();
    } catch (error) {
      if (error instanceof Stopped || isHopeless(error) || isPassing(error) || isForeign(error)) throw error;
      problems += 1;
      progress.line(`${namespace}: ${wordsOf(error)}`);
    }
  }
  return { documents, problems };
}

/** An error of this program's own. */
const isForeign = (error: unknown): boolean =>
  !(error instanceof Refusal || error instanceof Mismatch || error instanceof PlaceError);

class Copy {
  readonly #part: Planned;
  readonly #options: CopyOptions;
  readonly #state: Progressed;

  constructor(part: Planned, options: CopyOptions) {
    this.#part = part;
    this.#options = options;
    const { collections } = options.state.kept;
    const fresh: Progressed = { uuid: null, documents: 0, digest: "", last: null, done: false };
    const { namespace } = part.listed;
    this.#state = part.stands ? fresh : (collections[namespace] ?? fresh);
    collections[namespace] = this.#state;
  }

  async #send(command: Uint8Array): Promise<Uint8Array> {
    const { to, signal } = this.#options;
    return persistently(async () => {
      const bytes = await to.place.commandBytes(command);
      judgedReply(bytes);
      return bytes;
    }, signal);
  }

  async #ask(command: Readonly<Record<string, unknown>>, database = this.#part.listed.database): Promise<Uint8Array> {
    return this.#send(encode({ ...command, $db: database }));
  }

  async #drop(): Promise<void> {
    await this.#ask({ drop: this.#part.listed.name, writeConcern: { w: "majority" } }).catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.code !== NOT_FOUND) throw error;
    });
  }

  /** The collection there as it is listed; null for none. */
  async #there(): Promise<Listed | null> {
    const { database, name } = this.#part.listed;
    const { listed } = await collectionsOf(this.#options.to.place, database);
    return listed.find((one) => one.name === name) ?? null;
  }

  async view(): Promise<void> {
    const { listed } = this.#part;
    const { progress, state } = this.#options;
    state.save();
    if ((await this.#there()) !== null) await this.#drop();
    await this.#send(createCommand(listed, []));
    this.#state.done = true;
    state.save();
    progress.line(`${listed.namespace}: a view`);
  }

  /** Gives the number of its documents. */
  async collection(): Promise<number> {
    const { listed, documents: total } = this.#part;
    const { from, to, here, state, progress, signal, followed } = this.#options;
    await this.#make();
    const isRepeated = listed.type !== "timeseries";
    if (!isRepeated && state.resumes && (await this.#count()) > 0)
      throw new Mismatch(
        `a time series has no _id to go on by: drop it at ${to.name}, and ${state.path ?? "the state file"} with it`,
      );
    const step = (done: number, bytes: number): void =>
      progress.step({ name: listed.namespace, done, total: Math.max(done, total), bytes });
    const sent = await copyDocuments({
      from: from.place,
      to: to.place,
      source: listed,
      target: listed,
      state: this.#state,
      here,
      replaces: followed && state.resumes,
      signal,
      save: () => state.save(),
      progress: step,
    });
    // What a follower replaced when it went on is compared by nothing but its coming changes.
    if (!(followed && state.resumes)) await this.#verify(sent);
    if (!followed) await this.finish();
    this.#state.documents = sent.documents;
    const indexes =
      this.#part.indexes.length === 0 || followed ? "" : `, ${counted(this.#part.indexes.length, "index")}`;
    progress.line(`${listed.namespace}: ${counted(sent.documents, "document")}${indexes}, compared`);
    return sent.documents;
  }

  async #count(): Promise<number> {
    const { name } = this.#part.listed;
    return Number(decode(await this.#ask({ count: name }), { numbers: "driver" })["n"]);
  }

  async #make(): Promise<void> {
    const { listed, stands, shardKey } = this.#part;
    const { state } = this.#options;
    if (stands) await this.#drop();
    const there = stands ? null : await this.#there();
    if (there !== null && this.#state.uuid !== null) return;
    state.save();
    if (there === null) {
      Object.assign(this.#state, { uuid: null, documents: 0, digest: "", last: null });
      await this.#send(createCommand(listed, ["expireAfterSeconds"])).catch((error: unknown) => {
        // The reply to the first try was lost.
        if (!(error instanceof Refusal) || error.code !== EXISTS) throw error;
      });
    }
    if (shardKey !== null) await this.#shard(shardKey);
    this.#state.uuid = (await this.#there())?.uuid ?? null;
    state.save();
  }

  async #shard(key: ShardKey): Promise<void> {
    const { database, namespace } = this.#part.listed;
    // Since 6.0 a database need not be told of.
    if (Number.parseInt(this.#options.far.version, 10) < 6) await this.#ask({ enableSharding: database }, "admin");
    // The cluster makes an index for the key where there is none, under a name of its own.
    const index = this.#part.indexes.find((one) => !one.expires && isIndexFor(one, key));
    if (index !== undefined) await this.#index(index);
    await this.#ask({ shardCollection: namespace, key, collation: { locale: "simple" } }, "admin");
  }

  async #index({ specification }: ListedIndex): Promise<void> {
    const { name, database } = this.#part.listed;
    await this.#send(withDocuments({ createIndexes: name, $db: database }, "indexes", [specification]));
  }

  async #verify(sent: Digest): Promise<void> {
    const { listed } = this.#part;
    const { to, progress, signal, here } = this.#options;
    if (listed.type === "timeseries") {
      const there = await this.#count();
      if (there !== sent.documents) throw new Mismatch(uneven(sent.documents, there, here));
      return;
    }
    const name = `${listed.namespace} (comparing)`;
    const there = await digestAt(to.place, listed, signal, (done) =>
      progress.step({ name, done, total: Math.max(done, sent.documents), bytes: 0 }),
    );
    if (there.documents !== sent.documents) throw new Mismatch(uneven(sent.documents, there.documents, here));
    if (!there.equals(sent))
      throw new Mismatch(
        "as many documents are there as were read, but they are not the same: somebody else writes there",
      );
  }

  /** Makes indexes, those by which documents expire last, and sets what else lets them expire. */
  async finish(): Promise<void> {
    const { listed, indexes } = this.#part;
    const { state } = this.#options;
    const failures: string[] = [];
    for (const index of [...indexes].sort((a, b) => Number(a.expires) - Number(b.expires)))
      try {
        await this.#index(index);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        failures.push(`the index ${index.name} is refused: ${wordsOf(error)}`);
      }
    const { expireAfterSeconds } = decode(listed.options, { numbers: "typed" });
    if (expireAfterSeconds !== undefined) await this.#ask({ collMod: listed.name, expireAfterSeconds });
    if (failures.length > 0) throw new Mismatch(failures.join("; "));
    this.#state.done = true;
    state.save();
  }
}

const uneven = (read: number, there: number, here: "from" | "to"): string =>
  `${counted(read, "document")} ${here === "from" ? "were sent" : "came"}, ` +
  `and ${figure(there)} ${there === 1 ? "is" : "are"} there`;

/** Whether a cluster can use an index for a shard key: it begins with the key. */
function isIndexFor({ key: indexed }: ListedIndex, key: ShardKey): boolean {
  const fields = Object.entries(indexed);
  return Object.entries(key).every(([name, kind], at) => fields[at]?.[0] === name && fields[at][1] === kind);
}

/** Makes the indexes that waited for changes; gives the number of problems. */
export async function finished(plan: Plan, options: CopyOptions): Promise<number> {
  let problems = 0;
  for (const part of plan.parts) {
    const begun = options.state.kept.collections[part.listed.namespace];
    if (part.listed.type === "view" || begun === undefined || begun.done || begun.uuid === null) continue;
    try {
      await new Copy({ ...part, stands: false }, options).finish();
    } catch (error) {
      if (!(error instanceof Mismatch) && !(error instanceof Refusal)) throw error;
      problems += 1;
      options.progress.line(`${part.listed.namespace}: ${wordsOf(error)}`);
    }
  }
  return problems;
}
