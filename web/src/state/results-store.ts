/**
 * Results over a reload: the last leaves of this tab, kept in an IndexedDB of the page's own, which is no deployment.
 *
 * Invariants: nothing is read before the page was drawn, and nothing is opened before there is a result to keep or to
 * read; a tab has records of its own, also where it was duplicated (`navigator.locks`); at most `keptLeaves` leaves and
 * `mostBytes` bytes of a tab are kept, the newest first, and the records of the tabs used last; a failure of storage is
 * no error, since nothing of the database is kept here.
 */
import { packLeaf, repackLeaf, sizeOf, unpackLeaf, type KeptLeaf } from "./kept-results.ts";
import { keptLeaves, type AppState, type Leaf } from "./model.ts";
import { markResults, resultsMark, type Places } from "./persistence.ts";
import type { Store } from "./store.ts";

const databaseName = "quire-results";
const mostBytes = 8 * 1024 * 1024;
const mostTabs = 6;
/** Milliseconds in which several changes are written at once. */
const patience = 250;

interface TabRecord {
  readonly id: string;
  readonly at: number;
  /** The deployment that the results are of. */
  readonly deployment: string | null;
  readonly numbers: readonly number[];
}

function promised<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB"));
  });
}

function done(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error("IndexedDB"));
  });
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("tabs", { keyPath: "id" });
    request.result.createObjectStore("leaves");
  };
  const database = await promised(request);
  // Somebody deletes it: let it go.
  database.onversionchange = () => database.close();
  return database;
}

const leavesOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id], [id, []]);

/** Whether the records of a tab are this page's alone from now on, as long as it is there. */
async function isOwn(id: string): Promise<boolean> {
  const locks = (globalThis.navigator as Partial<Navigator>).locks;
  if (locks === undefined) return true;
  return new Promise((resolve) => {
    void locks
      .request(`quire-results ${id}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise<void>(() => undefined);
      })
      .catch(() => resolve(false));
  });
}

const momentOf = ({ kept, moment }: Leaf): number | null => kept?.number ?? moment ?? null;

/** Whether a leaf as it was written says the same as it does now: a moment that was found again is the same. */
function isSame(written: Leaf | undefined, leaf: Leaf): boolean {
  if (written === undefined || momentOf(written) !== momentOf(leaf)) return false;
  const names = Object.keys(leaf) as (keyof Leaf)[];
  return names.every((name) => name === "kept" || name === "moment" || written[name] === leaf[name]);
}

const newId = (): string => Math.random().toString(36).slice(2, 12);

/** Reads the results kept before the reload, and from then on keeps those that the page shows. */
export class ResultsStore {
  readonly #store: Store;
  readonly #session: Places["session"];
  readonly #deployment: string;
  #id: string;
  #owned: Promise<void>;
  #database: Promise<IDBDatabase> | null = null;
  /** The leaves as they were last written, by number: a leaf that is the same object needs no writing. */
  #written = new Map<number, Leaf>();
  readonly #packed = new WeakMap<Leaf["value"], { readonly insight: Leaf["insight"]; readonly kept: KeptLeaf }>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Store, session: Places["session"], deployment: string) {
    this.#store = store;
    this.#session = session;
    this.#deployment = deployment;
    const mark = resultsMark(session, deployment);
    this.#id = mark?.id ?? newId();
    this.#owned = isOwn(this.#id).then((own) => {
      if (!own) this.#id = newId();
    });
  }

  /** Reads the leaves of before the reload into the page. Does nothing where there are none. */
  async restore(): Promise<void> {
    const mark = resultsMark(this.#session, this.#deployment);
    if (mark === null || mark.leaves === 0) return;
    let leaves: readonly Leaf[] = [];
    let deployment: string | null = null;
    try {
      const database = await this.#open();
      const transaction = database.transaction(["tabs", "leaves"]);
      const [tab, kept] = await Promise.all([
        promised(transaction.objectStore("tabs").get(mark.id) as IDBRequest<TabRecord | undefined>),
        promised(transaction.objectStore("leaves").getAll(leavesOf(mark.id)) as IDBRequest<unknown[]>),
      ]);
      deployment = tab?.deployment ?? null;
      leaves = kept
        .flatMap((one) => {
          const leaf = unpackLeaf(one);
          if (leaf === null) return [];
          this.#packed.set(leaf.value, { insight: leaf.insight, kept: one as KeptLeaf });
          return [leaf];
        })
        .sort((one, other) => other.number - one.number)
        .slice(0, keptLeaves);
    } catch {
      // Nothing, then.
    }
    await this.#owned;
    // A tab of its own has them already; a duplicated one writes them as its own.
    if (this.#id === mark.id) this.#written = new Map(leaves.map((leaf) => [leaf.number, leaf]));
    this.#store.dispatch({ kind: "leaves-restored", leaves: this.#isForeign(deployment) ? [] : leaves });
    if (deployment !== null) this.#watch(deployment);
  }

  #isForeign(deployment: string | null): boolean {
    const now = this.#store.state.deployment;
    return now !== null && deployment !== null && now.name !== deployment;
  }

  /** Removes the restored results where another deployment is opened later: its data has nothing to do with them. */
  #watch(deployment: string): void {
    if (this.#store.state.deployment !== null) return;
    const stop = this.#store.subscribe(({ deployment: now }) => {
      if (now === null) return;
      stop();
      if (this.#isForeign(deployment)) this.#store.dispatch({ kind: "leaves-cleared" });
    });
  }

  /** Keeps the page's leaves as they change. */
  follow(): void {
    this.#store.subscribe((now, before) => {
      if (now.leaves !== before.leaves && !now.restoring) this.#soon();
    });
    // The page may not be there much longer.
    addEventListener("pagehide", () => void this.#now());
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && void this.#now());
    if (this.#store.state.leaves.length > 0) this.#soon();
    this.#writing = this.#writing.then(() => this.#prune()).catch(() => undefined);
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => void this.#now(), patience);
  }

  #now(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#writing.then(() => this.#write()).catch(() => undefined);
    return this.#writing;
  }

  async #write(): Promise<void> {
    await this.#owned;
    const { state } = this.#store;
    const chosen = this.#chosen(state);
    const numbers = chosen.map(([leaf]) => leaf.number);
    const database = await this.#open();
    const transaction = database.transaction(["tabs", "leaves"], "readwrite");
    const ended = done(transaction);
    const leaves = transaction.objectStore("leaves");
    const written = new Map<number, Leaf>();
    for (const [leaf, kept] of chosen) {
      if (!isSame(this.#written.get(leaf.number), leaf)) leaves.put(kept, [this.#id, leaf.number]);
      written.set(leaf.number, leaf);
    }
    for (const number of this.#written.keys()) if (!written.has(number)) leaves.delete([this.#id, number]);
    const tabs = transaction.objectStore("tabs");
    const deployment = state.deployment?.name ?? null;
    tabs.put({ id: this.#id, at: Date.now(), deployment, numbers } satisfies TabRecord);
    // `commit` waits for no further request, so that the writes are done also where the page is being left.
    transaction.commit();
    await ended;
    this.#written = written;
    markResults(this.#session, this.#deployment, { id: this.#id, leaves: numbers.length, runs: state.runs });
  }

  /** Deletes the results of the tabs that were used longest ago, until `mostTabs` are left. */
  async #prune(): Promise<void> {
    const transaction = (await this.#open()).transaction(["tabs", "leaves"], "readwrite");
    const tabs = transaction.objectStore("tabs");
    const all = await promised(tabs.getAll() as IDBRequest<TabRecord[]>);
    for (const { id } of [...all].sort((one, other) => other.at - one.at).slice(mostTabs)) {
      tabs.delete(id);
      transaction.objectStore("leaves").delete(leavesOf(id));
    }
  }

  /** The leaves to keep, newest first, each packed into the room that the newer ones leave of `mostBytes`. */
  #chosen(state: AppState): readonly (readonly [Leaf, KeptLeaf])[] {
    const chosen: (readonly [Leaf, KeptLeaf])[] = [];
    let left = mostBytes;
    for (const leaf of state.leaves) {
      if (leaf.state !== "done") continue;
      const kept = this.#pack(leaf, left);
      left = Math.max(0, left - sizeOf(kept));
      chosen.push([leaf, kept]);
    }
    return chosen;
  }

  /** A value is put into bytes once, however often its leaf is folded. */
  #pack(leaf: Leaf, left: number): KeptLeaf {
    const known = this.#packed.get(leaf.value);
    if (known?.insight === leaf.insight && this.#written.get(leaf.number) === leaf) return known.kept;
    const kept =
      known?.insight === leaf.insight && sizeOf(known.kept) <= left
        ? repackLeaf(leaf, known.kept)
        : packLeaf(leaf, Math.min(left, mostBytes / 4));
    this.#packed.set(leaf.value, { insight: leaf.insight, kept });
    return kept;
  }

  #open(): Promise<IDBDatabase> {
    this.#database ??= open();
    this.#database.catch(() => {
      this.#database = null;
    });
    return this.#database;
  }
}
