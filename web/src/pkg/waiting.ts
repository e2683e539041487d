/** Commands that wait until something was written (`awaitData`), for an engine in the caller's thread. */

export class Waiting {
  readonly #waiting = new Set<() => void>();

  /** Resolves with the next write, at the latest after so many milliseconds or when the signal is aborted. */
  next(millis: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", over);
        this.#waiting.delete(over);
        resolve();
      };
      const timer = setTimeout(over, millis);
      signal?.addEventListener("abort", over);
      this.#waiting.add(over);
    });
  }

  /** Runs `again` with each write, until there is data, its time is over or nobody wants it any more. */
  async whenThereIsData<Reply>(
    first: Reply,
    millis: number,
    signal: AbortSignal | undefined,
    again: () => { readonly reply: Reply; readonly waits: boolean },
  ): Promise<Reply> {
    let reply = first;
    const deadline = performance.now() + millis;
    for (let left = millis; left > 0; left = deadline - performance.now()) {
      await this.next(left, signal);
      if (signal?.aborted === true) break;
      const ran = again();
      reply = ran.reply;
      if (!ran.waits) break;
    }
    return reply;
  }

  /** Something may have been written. */
  wake(): void {
    if (this.#waiting.size > 0) for (const over of [...this.#waiting]) over();
  }
}
