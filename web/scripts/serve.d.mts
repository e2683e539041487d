/** The types of `serve.mjs`. */
export interface ServeOptions {
  readonly port?: number;
  readonly headers?: (path: string) => Readonly<Record<string, string>>;
  readonly pages?: Readonly<Record<string, string>>;
  readonly delay?: () => number;
}
export interface Served {
  readonly origin: string;
  readonly port: number;
  close(): Promise<void>;
}
export function serve(folders: Readonly<Record<string, string>>, options?: ServeOptions): Promise<Served>;
