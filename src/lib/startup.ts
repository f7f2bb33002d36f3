import type { AddressInfo, Server } from 'node:net';
import { FOREIGN_DATABASE } from './databaseOwner.ts';
import { escapeText } from './printableText.ts';

/** Why a process can't start, for the person who starts it: which setting is wrong, and what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
  /** The problems that the message lists, or the message itself. */
  readonly problems: readonly string[];

  constructor(message: string, options?: ErrorOptions, problems: readonly string[] = [message]) {
    super(message, options);
    this.problems = problems;
  }
}

/** Creates the error for problems with a program's settings, all in one message. */
export const createStartError = (program: 'graph' | 'sandbox', problems: readonly string[]): StartError =>
  new StartError(`The ${program} cannot start:\n  ${problems.map(escapeText).join('\n  ')}`, undefined, problems);

/** Collects the problems of all startup steps, so that they're reported together. */
export class StartProblems {
  readonly #errors: StartError[] = [];
  readonly #problems: string[];

  /** `problems`: the problems that are already known. */
  constructor(problems: readonly string[] = []) {
    this.#problems = [...problems];
  }

  get isEmpty(): boolean {
    return this.#problems.length === 0;
  }

  /** Performs a step. Returns undefined if it fails with a StartError. */
  async collect<Result>(step: () => Result | Promise<Result>): Promise<Result | undefined> {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      this.#errors.push(error);
      this.#problems.push(...error.problems);
      return undefined;
    }
  }

  /** Throws if there are problems. If a single step failed, throws its own error, because its message needs no heading. */
  check(): void {
    if (this.isEmpty) return;
    const [only] = this.#errors;
    if (only && this.#errors.length === 1 && only.problems.length === this.#problems.length) throw only;
    throw createStartError('graph', this.#problems);
  }
}

/** The code of a system error. Empty if it has none. */
export const getErrorCode = (error: unknown): string => String((error as { readonly code?: unknown }).code ?? '');

/** Host and port as in a URL. */
const formatAuthority = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process is listening there. Stop that process, or choose another port.',
  EACCES: 'this user isn’t allowed to use the port. Choose a port above 1023.',
  EADDRNOTAVAIL: 'this machine doesn’t have that address. Choose one of its addresses, such as 127.0.0.1, or :: for all of them.',
  ENOTFOUND: 'the host name can’t be resolved. Use an IP address, such as 127.0.0.1, or correct the name.',
};

/** Creates the error for a server that can't listen. `settings` names the settings of the address, such as "HOST and PORT". */
export function createListenError(error: unknown, settings: string, host: string, port: number): StartError {
  const code = getErrorCode(error);
  const reason = LISTEN_REASONS[code] ?? 'the operating system refused. Choose another address.';
  return new StartError(`Can’t listen on ${formatAuthority(host, port)} (${settings}): ${reason} (${code})`, {
    cause: error,
  });
}

/** Starts listening, and returns the server's base URL. Port 0 picks a free port. Throws a StartError that names the `settings`. */
export const listen = (server: Server, port: number, host: string, settings: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const refuse = (error: unknown) => reject(createListenError(error, settings, host, port));
    // Never removed: a later connection that can't be accepted, such as for lack of a file handle, must not end the process.
    server.on('error', refuse);
    // Without a host, Node.js listens on :: with IPv6 and IPv4, or on 0.0.0.0 where there is no IPv6.
    server.listen({ port, ...(host !== '::' && { host }) }, () =>
      resolve(`http://${formatAuthority(host, (server.address() as AddressInfo).port)}`),
    );
  });

/** The low byte of SQLite's result codes: https://www.sqlite.org/rescode.html */
const SQLITE_REASONS: ReadonlyMap<number, string> = new Map([
  [5, 'another process has it locked. Stop that process, or choose another file.'],
  [8, 'this user can’t write to it. Change its mode, or choose another file.'],
  [11, 'it isn’t an SQLite database, or is damaged. Restore it, or choose another file.'],
  [13, 'its disk is full. Free up space, or choose another file.'],
  [14, 'it can’t be opened. Choose a file in an existing directory that this user can read and write.'],
  [26, 'it isn’t an SQLite database, or is damaged. Restore it, or choose another file.'],
]);

const NOT_ALLOWED = 'this user can’t read and write there. Change its owner or mode, or choose another file.';
const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  [FOREIGN_DATABASE]: 'it’s the database of another program. Choose another file.',
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: NOT_ALLOWED,
  EISDIR: 'it’s a directory. Choose a file.',
  ENOTDIR: 'one of its parent directories is a file. Choose another path.',
  EEXIST: 'one of its parent directories is a file. Choose another path.',
  ENOENT: 'its folder doesn’t exist. Create or mount the folder, or choose a file in an existing one.',
  EILSEQ: 'it isn’t encoded in UTF-8. Save it as UTF-8.',
  ENOSPC: 'its disk is full. Free up space, or choose another file.',
};

/**
 * Converts an error that occurs when opening a file. `setting` is the environment variable with its path. Returns errors that come neither from SQLite nor from
 * the system unchanged.
 */
export function toFileError(error: unknown, setting: string, path: string): unknown {
  const { errcode, message } = error as { readonly errcode?: unknown; readonly message?: string };
  const isSqlite = getErrorCode(error) === 'ERR_SQLITE_ERROR';
  const known = isSqlite ? SQLITE_REASONS.get(Number(errcode) & 0xff) : SYSTEM_REASONS[getErrorCode(error)];
  const reason = known ?? (isSqlite ? `SQLite reported: ${message}. Choose another file.` : undefined);
  return reason === undefined ? error : new StartError(`Can’t use ${path} (${setting}): ${reason}`, { cause: error });
}
