/** Where a server's commands run: in a thread of their own, or in the caller's. */

/** A command under way. */
export interface Running {
  /** Never rejects for a command's own error: that is in the reply. */
  readonly reply: Promise<Uint8Array>;
  /** Has the command end with `Interrupted`, soon where it runs already. */
  stop(): void;
}

export interface Runner {
  /** Begins a command; its bytes stay the caller's. */
  start(command: Uint8Array): Running;
  /** Says at which host and port its server listens; undefined: nowhere any more. */
  present(name: string | undefined): void;
  close(): Promise<void>;
}
