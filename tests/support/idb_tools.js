/**
 * Tools of the IndexedDB tests: looks into a database behind the engine's back, and makes IndexedDB fail or tell.
 *
 * The body of a function: `tests/browser.rs` calls it once and uses the object that it returns. Invariant: `restore`
 * puts back every method of the browser that was replaced.
 */
const original = [];
function replace(prototype, name, make) {
  const own = prototype[name];
  original.push(() => { prototype[name] = own; });
  prototype[name] = make(own);
}
function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked by an open connection"));
  });
}
async function within(name, store, mode, work) {
  const database = await settled(indexedDB.open(`quire:${name}`));
  try {
    const transaction = database.transaction(store, mode);
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
    const result = await work(transaction.objectStore(store));
    await done;
    return result;
  } finally {
    database.close();
  }
}
const seen = { puts: 0, pageReads: 0, scans: 0, durabilities: [] };
return {
  /** Every number in use as a key of a store, ascending. */
  keys: (name, store) => within(name, store, "readonly", (store) => settled(store.getAllKeys())),
  read: (name, store, key) => within(name, store, "readonly", (store) => settled(store.get(key))),
  /** Stores a record as it is; undefined takes it away. */
  write: (name, store, key, value) =>
    within(name, store, "readwrite", (store) => settled(value === undefined ? store.delete(key) : store.put(value, key))),
  /** The longest buffer behind any record of a store: a view over another memory shows here. */
  longestBuffer: async (name, store) => {
    const values = await within(name, store, "readonly", (store) => settled(store.getAll()));
    return Math.max(...values.map((value) => value.buffer.byteLength));
  },
  /** Stores a database anew as the first layout had it: every page in a record of its own, and no store for blocks. */
  makeOld: async (name) => {
    const all = async (store) => within(name, store, "readonly", async (store) => [await settled(store.getAllKeys()), await settled(store.getAll())]);
    const pages = new Map();
    const [, blocks] = await all("blocks");
    for (const block of blocks) {
      for (let at = 0; at < block.length; at += 16384) {
        const page = block.slice(at, at + 16384);
        pages.set(Number(new DataView(page.buffer).getBigUint64(8, true)), page);
      }
    }
    const [numbers, own] = await all("pages");
    numbers.forEach((number, index) => Number.isInteger(number) && pages.set(number, own[index]));
    const [keys, values] = await all("meta");
    await settled(indexedDB.deleteDatabase(`quire:${name}`));
    const opening = indexedDB.open(`quire:${name}`, 1);
    opening.onupgradeneeded = () => {
      const stores = ["pages", "meta"].map((store) => opening.result.createObjectStore(store));
      pages.forEach((page, number) => stores[0].put(page, number));
      keys.forEach((key, index) => stores[1].put(values[index], key));
    };
    (await settled(opening)).close();
    return blocks.length;
  },
  delete: (name) => settled(indexedDB.deleteDatabase(`quire:${name}`)),
  /** Counts what goes through from now on. */
  watch() {
    Object.assign(seen, { puts: 0, pageReads: 0, scans: 0, durabilities: [] });
    const pages = (store) => store.name === "pages";
    replace(IDBObjectStore.prototype, "put", (own) => function (...given) {
      // Marks are empty.
      if (pages(this) && given[0].byteLength > 0) seen.puts += 1;
      return own.apply(this, given);
    });
    replace(IDBObjectStore.prototype, "get", (own) => function (...given) {
      if (pages(this)) seen.pageReads += 1;
      return own.apply(this, given);
    });
    replace(IDBObjectStore.prototype, "getAll", (own) => function (...given) {
      if (pages(this)) seen.scans += 1;
      return own.apply(this, given);
    });
    replace(IDBDatabase.prototype, "transaction", (own) => function (stores, mode, options) {
      if (mode === "readwrite") seen.durabilities.push(options.durability);
      return own.call(this, stores, mode, options);
    });
  },
  seen: (what) => (what === "durabilities" ? seen.durabilities.join() : seen[what]),
  /** Writing a page fails as it does without room. */
  fill() {
    replace(IDBObjectStore.prototype, "put", () => () => {
      throw new DOMException("no room", "QuotaExceededError");
    });
  },
  /** The next so many commits are aborted. */
  abortCommits(times) {
    let left = times;
    replace(IDBTransaction.prototype, "commit", (own) => function () {
      if (left <= 0) return own.call(this);
      left -= 1;
      return this.abort();
    });
  },
  /** The next transaction finds its connection closed by the browser. */
  closeNextConnection() {
    let left = 1;
    replace(IDBDatabase.prototype, "transaction", (own) => function (...given) {
      if (left > 0) {
        left -= 1;
        this.close();
      }
      return own.apply(this, given);
    });
  },
  /** Nothing is read ahead: timers of so many milliseconds, which the engine sets for its idle reading, never ring. */
  dropTimers(millis) {
    replace(globalThis, "setTimeout", (own) => (callback, after) => (after === millis ? 0 : own.call(globalThis, callback, after)));
  },
  restore() {
    while (original.length > 0) original.pop()();
  },
};
