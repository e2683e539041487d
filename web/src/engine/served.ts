/** What an engine's host knows of the server before it, if there is one. */

export interface ServedAs {
  /** The host and the port where the server listens. */
  name?: string | undefined;
  /** What proves that a client knows a user's password, by a mechanism: `EngineHost.credentials`. */
  credentials?: ((mechanism: string, user: string, password: string) => string | undefined) | undefined;
}
