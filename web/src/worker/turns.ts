/**
 * Whose turn it is: the queue of jobs over one deployment, and the leases of its lock that serve it.
 *
 * A lease begins with the first job: the lock is taken, unless it is held, and the commits of other tabs are read. It
 * serves all that is queued, and goes on while more comes and until all is stored; where another tab waits, no longer
 * than `LEASE_MILLIS` and the job under way. Invariants: jobs begin one after another, in the order in which they were
 * added; none begins outside a lease; the lock is not let go while something is to be written. A job that can be done
 * at once is done in the task that added it. In memory there is no lock.
 */
import type { Flushing } from "./flushing.ts";
import type { TurnLock } from "./turn-lock.ts";

/** How long a lease serves its queue while another tab waits, in milliseconds. */
const LEASE_MILLIS = 100;
/** How long jobs go on before other events get their turn, in milliseconds. */
const SLICE_MILLIS = 12;

/** A command, a script or another piece of work that needs a turn. */
export interface Job {
  /** Whether all before it must be stored, and nothing may be written meanwhile. */
  readonly alone: boolean;
  /** Does it; never throws or rejects. Undefined: it is done. */
  run(): Promise<void> | undefined;
  /** No lease could be had for it. */
  fail(error: Error): void;
}

/** Makes the engine fit for the next job, after a trap or after another tab took over. */
export interface Mending {
  isNeeded(): boolean;
  mend(): Promise<void>;
  /** Reads the commits of other tabs. */
  reload(): Promise<void>;
}

/** Gives other events their turn. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof MessageChannel === "undefined") return void setTimeout(resolve, 0);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

export class Turns {
  readonly #lock: TurnLock | null;
  readonly #flushing: Flushing;
  readonly #mending: Mending;
  #queue: Job[] = [];
  /** How many of the queue are done. */
  #done = 0;
  #serving = false;
  #leased = false;
  #leasedAt = 0;
  /** The engine has to be mended, even if no job comes. */
  #stuck = false;
  #idle: (() => void)[] = [];

  constructor(lock: TurnLock | null, flushing: Flushing, mending: Mending) {
    this.#lock = lock;
    this.#flushing = flushing;
    this.#mending = mending;
  }

  add(job: Job): void {
    this.#queue.push(job);
    if (!this.#serving) void this.#serve();
  }

  /** Adds jobs before all others, in their order. */
  addFirst(jobs: readonly Job[]): void {
    this.#queue = [...jobs, ...this.#queue.slice(this.#done)];
    this.#done = 0;
  }

  /** The engine needs mending. */
  wake(): void {
    this.#stuck = true;
    if (!this.#serving) void this.#serve();
  }

  /** Ends a lease for which there is nothing to do. */
  rest(): void {
    if (this.#serving) return;
    if (this.#flushing.isQuiet) {
      if (this.#leased) this.#leave(false);
      for (const idle of this.#idle.splice(0)) idle();
    } else if (this.#lock?.isWanted === true) this.#flushing.hurry();
  }

  /** Resolves when nothing is to be done any more. */
  async idle(): Promise<void> {
    while (this.#serving || !this.#flushing.isQuiet) {
      this.#flushing.hurry();
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  #next(): Job | undefined {
    return this.#queue[this.#done];
  }

  #taken(): void {
    this.#done += 1;
    if (this.#done < this.#queue.length) return;
    this.#queue = [];
    this.#done = 0;
  }

  /** Serves the queue to its end; nothing is waited for that need not be. */
  async #serve(): Promise<void> {
    this.#serving = true;
    this.#renew();
    let slice = performance.now();
    for (let job = this.#next(); job !== undefined || this.#stuck; job = this.#next()) {
      let waiting: Promise<unknown> | undefined;
      try {
        waiting = this.#unready(job);
        if (waiting === undefined && job !== undefined) {
          if (performance.now() - slice > SLICE_MILLIS) {
            await breathe();
            slice = performance.now();
            this.#renew();
            continue;
          }
          this.#taken();
          waiting = job.run();
        }
        if (waiting === undefined) continue;
        await waiting;
        slice = performance.now();
      } catch (error) {
        // A failed reading is tried again before the next job: the lock is not kept meanwhile.
        this.#leave(true);
        this.#stuck = false;
        const failed = this.#next();
        if (failed !== undefined) {
          this.#taken();
          failed.fail(error as Error);
        }
      }
    }
    this.#serving = false;
    this.rest();
  }

  /** The promise that a job has to wait for before it can begin; undefined where it can begin now. */
  #unready(job: Job | undefined): Promise<unknown> | undefined {
    const lock = this.#lock;
    if (lock !== null) {
      if (this.#leased && !lock.isOurs) this.#leased = false;
      if (!this.#leased) {
        const entering = this.#enter(lock);
        if (entering !== undefined) return entering;
      }
      this.#stuck = false;
      if (this.#mending.isNeeded()) return this.#mending.mend();
      if (lock.isWanted && performance.now() - this.#leasedAt > LEASE_MILLIS) return this.#giveWay();
      const relief = this.#flushing.relief();
      if (relief !== undefined) return relief;
    }
    this.#stuck = false;
    return job?.alone === true ? this.#flushing.settled() : undefined;
  }

  #enter(lock: TurnLock): Promise<void> | undefined {
    const begun = lock.begin();
    if (begun === false) {
      this.#leased = true;
      this.#leasedAt = performance.now();
      return undefined;
    }
    return this.#read(begun);
  }

  /** Begins a lease after others may have written. */
  async #read(begun: boolean | Promise<boolean>): Promise<void> {
    await begun;
    // Changes that are not stored go first: the fence tells whether another tab took over.
    await this.#flushing.settled();
    if (this.#mending.isNeeded()) await this.#mending.mend();
    await this.#mending.reload();
    this.#leased = true;
    this.#leasedAt = performance.now();
  }

  /** A lease that goes on after a while may not be one any more. */
  #renew(): void {
    if (this.#leased && this.#lock?.goesOn() === false) this.#leased = false;
  }

  async #giveWay(): Promise<void> {
    await this.#flushing.settled();
    this.#leave(false);
  }

  #leave(letGo: boolean): void {
    this.#leased = false;
    this.#lock?.end(letGo);
  }
}
