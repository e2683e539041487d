/**
 * The Web Locks, BroadcastChannels and worker messages of the simulated browser.
 *
 * Invariants: a lock has one holder (or many that share it); one that was stolen rejects its holder's request with an
 * `AbortError`; the locks of an agent that ends go to the next in the queue, and those of one that is frozen stay its
 * own. Messages arrive in the order they were sent, as copies.
 */

/** About how long a message or a lock takes to arrive, in milliseconds. */
const MESSAGE_MILLIS = 0.3;

class Lock {
  constructor(name, mode) {
    this.name = name;
    this.mode = mode;
  }
}

export class LockManager {
  #world;
  /** By name: requests that hold the lock, and those that wait for it. */
  #names = new Map();

  constructor(world) {
    this.#world = world;
  }

  #of(name) {
    let one = this.#names.get(name);
    if (one === undefined) this.#names.set(name, (one = { held: [], waiting: [] }));
    return one;
  }

  /** What `navigator.locks` is for an agent. */
  of(agent) {
    return {
      request: (name, ...rest) => this.#request(agent, name, rest.length > 1 ? rest[0] : {}, rest.at(-1)),
      query: () =>
        new Promise((resolve) => {
          this.#world.soon(agent, MESSAGE_MILLIS, () => {
            const told = (kind) =>
              [...this.#names].flatMap(([name, one]) =>
                one[kind].map((request) => ({ name, mode: request.mode, clientId: request.agent.name })),
              );
            resolve({ held: told("held"), pending: told("waiting") });
          });
        }),
    };
  }

  /** Who holds a lock, for the scenario to choose whom to freeze. */
  holder(name) {
    return this.#names.get(name)?.held[0]?.agent ?? null;
  }

  #request(agent, name, options, callback) {
    const { mode = "exclusive", ifAvailable = false, steal = false, signal } = options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const request = { agent, mode, callback, resolve, reject, granted: false, ended: false };
      // Asked of the browser, which answers in its own time.
      this.#world.soon(null, MESSAGE_MILLIS, () => {
        if (!agent.isAlive || request.ended) return;
        const one = this.#of(name);
        if (steal) {
          for (const holder of one.held.splice(0)) {
            holder.ended = true;
            this.#world.note(`${agent.name} steals ${name} from ${holder.agent.name}`);
            this.#world.soon(
              holder.agent,
              MESSAGE_MILLIS,
              () => holder.reject(new DOMException("The lock was stolen", "AbortError")),
              holder,
            );
          }
          one.waiting.unshift(request);
        } else if (ifAvailable && !(one.waiting.length === 0 && fits(request, one.held))) {
          this.#world.soon(agent, MESSAGE_MILLIS, () => this.#call(request, null));
          return;
        } else one.waiting.push(request);
        agent.atEnd.push(() => this.#release(name, request));
        this.#grant(name);
      });
      signal?.addEventListener("abort", () => {
        if (request.granted || request.ended) return;
        this.#release(name, request);
        reject(signal.reason);
      });
    });
  }

  #grant(name) {
    const one = this.#of(name);
    while (one.waiting.length > 0 && fits(one.waiting[0], one.held)) {
      const request = one.waiting.shift();
      one.held.push(request);
      // In one lane with a theft: who was granted a lock hears of that first.
      this.#world.soon(
        request.agent,
        MESSAGE_MILLIS,
        () => {
          request.granted = true;
          this.#call(request, new Lock(name, request.mode));
        },
        request,
      );
    }
  }

  #call(request, lock) {
    let held;
    try {
      held = Promise.resolve(request.callback(lock));
    } catch (error) {
      held = Promise.reject(error);
    }
    const end = (settle) => (value) => {
      const stolen = request.ended;
      if (lock !== null) this.#release(lock.name, request);
      // A stolen lock's request is rejected already.
      if (!stolen || lock === null) settle(value);
    };
    held.then(end(request.resolve), end(request.reject));
  }

  #release(name, request) {
    request.ended = true;
    const one = this.#of(name);
    one.held = one.held.filter((other) => other !== request);
    one.waiting = one.waiting.filter((other) => other !== request);
    this.#grant(name);
  }
}

function fits(request, held) {
  return held.length === 0 || (request.mode === "shared" && held.every(({ mode }) => mode === "shared"));
}

/** Something that listeners are added to and that has an `on…` of each. */
export class Target {
  #listeners = new Map();

  addEventListener(type, listener, options) {
    const all = this.#listeners.get(type) ?? [];
    if (all.some((one) => one.listener === listener)) return;
    all.push({ listener, once: options?.once === true });
    this.#listeners.set(type, all);
  }
  removeEventListener(type, listener) {
    this.#listeners.set(
      type,
      (this.#listeners.get(type) ?? []).filter((one) => one.listener !== listener),
    );
  }
  dispatch(type, event) {
    event.type ??= type;
    event.target ??= this;
    const own = this[`on${type}`];
    if (typeof own === "function") own.call(this, event);
    for (const one of [...(this.#listeners.get(type) ?? [])]) {
      if (one.once) this.removeEventListener(type, one.listener);
      if (typeof one.listener === "function") one.listener.call(this, event);
      else one.listener.handleEvent(event);
    }
  }
}

/** The class `BroadcastChannel` of an agent. */
export function broadcastChannels(world, open) {
  return (agent) =>
    class BroadcastChannel extends Target {
      #closed = false;
      constructor(name) {
        super();
        this.name = name;
        this.agent = agent;
        open.add(this);
        agent.atEnd.push(() => open.delete(this));
      }
      postMessage(data) {
        if (this.#closed || !agent.isAlive) return;
        const copy = structuredClone(data);
        for (const other of open) {
          if (other === this || other.name !== this.name) continue;
          world.soon(
            other.agent,
            MESSAGE_MILLIS,
            () => open.has(other) && other.dispatch("message", { data: structuredClone(copy) }),
            other,
          );
        }
      }
      close() {
        this.#closed = true;
        open.delete(this);
      }
    };
}

/** A copy of a message as a worker gets it: what was handed over is gone from who sent it. */
export function copied(message, transfer = []) {
  // Node cannot copy compiled code, which is shared in browsers too.
  if (message?.module instanceof WebAssembly.Module) return { ...message };
  return structuredClone(message, { transfer: [...(Array.isArray(transfer) ? transfer : (transfer?.transfer ?? []))] });
}

export { MESSAGE_MILLIS };
