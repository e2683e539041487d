/**
 * What was acknowledged, and so what may be found: the model that the engine is held against.
 *
 * Every name (a document, a side collection, an index) is written by one client only, so its values follow one another.
 * Of each the ledger keeps the values it may have: the last one that is known to be stored and all that came after it.
 * Invariants: an operation that was acknowledged as journaled leaves its value alone; one that failed, or that nobody
 * answered, may have happened or not. Where a tab never gives way to another, each earlier operation that had been
 * acknowledged when a journaled one began is stored with it.
 */

export class Ledger {
  /** By name: `{ value, operation }` in order; the first is stored. */
  #names = new Map();
  /** Operations that were acknowledged and not yet known to be stored, by client. */
  #acknowledged = new Map();
  /** Documents that one command inserted: all of them are there, or none. */
  #groups = [];
  #deletions = 0;
  journaled = 0;
  attempted = 0;

  #of(name) {
    let values = this.#names.get(name);
    if (values === undefined) this.#names.set(name, (values = [{ value: null, operation: null }]));
    return values;
  }

  get names() {
    return [...this.#names.keys()];
  }

  /** The values that a name may have now; null is absent. */
  allowed(name) {
    return (this.#names.get(name) ?? [{ value: null }]).map(({ value }) => value);
  }

  /** The value that the client who writes it believes in. */
  believed(name) {
    const values = this.#names.get(name) ?? [{ value: null, operation: null }];
    return values.findLast(({ operation }) => operation === null || operation.acknowledged !== false).value;
  }

  /** An operation begins: it gives names values. With `together` they are inserted by one command. */
  begin(client, changes, together = false) {
    this.attempted += 1;
    const operation = {
      client,
      names: changes.map(([name]) => name),
      acknowledged: null,
      earlier: [...(this.#acknowledged.get(client) ?? [])],
      deletions: this.#deletions,
    };
    for (const [name, value] of changes) {
      this.#of(name).push({ value, operation });
      for (const group of this.#groups) if (group.names.includes(name)) group.touched = true;
    }
    if (together && changes.length > 1)
      this.#groups.push({ names: operation.names, values: changes.map(([, value]) => value), touched: false });
    return operation;
  }

  /**
   * It was acknowledged. With `inOrder` what was acknowledged before it is stored with it: nobody else took over
   * meanwhile.
   */
  acknowledge(operation, journaled, inOrder) {
    operation.acknowledged = true;
    const { client } = operation;
    const waiting = this.#acknowledged.get(client) ?? new Set();
    this.#acknowledged.set(client, waiting);
    waiting.add(operation);
    if (!journaled) return;
    // What a deletion of the database took away between the storing and the answer is nobody's fault.
    if (operation.deletions !== this.#deletions) return;
    this.journaled += 1;
    for (const one of inOrder ? [...operation.earlier, operation] : [operation]) {
      waiting.delete(one);
      for (const name of one.names) {
        const values = this.#of(name);
        const index = values.findIndex((entry) => entry.operation === one);
        if (index > 0) values.splice(0, index);
      }
    }
  }

  /** It failed: it may have happened all the same. */
  refuse(operation) {
    operation.acknowledged = false;
  }

  /** All that is stored was deleted: what was not stored yet may still come. */
  deleted() {
    this.#deletions += 1;
    for (const values of this.#names.values()) values[0] = { value: null, operation: null };
    for (const waiting of this.#acknowledged.values()) waiting.clear();
    this.#groups.length = 0;
  }

  /** The faults of the documents found, by name. */
  faults(found) {
    const faults = [];
    for (const [name, values] of this.#names) {
      const value = found.get(name) ?? null;
      if (!values.some((entry) => entry.value === value))
        faults.push(`${name} is ${value}, and may be ${values.map((entry) => entry.value).join(" or ")}`);
    }
    for (const name of found.keys()) if (!this.#names.has(name)) faults.push(`${name} was never written`);
    for (const { names, values, touched } of this.#groups) {
      if (touched) continue;
      const there = names.filter((name, index) => found.get(name) === values[index]).length;
      if (there !== 0 && there !== names.length)
        faults.push(`of ${names.length} documents of one insert ${there} are there: ${names.join()}`);
    }
    return faults;
  }

  /** No tab lives any more: the documents found are the stored ones. */
  settle(found) {
    for (const name of this.#names.keys()) this.#names.set(name, [{ value: found.get(name) ?? null, operation: null }]);
    this.#acknowledged.clear();
    this.#groups.length = 0;
  }
}
