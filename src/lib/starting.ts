import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reason for which a process cannot start, told to whoever starts it: what is wrong with which setting, and what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Ends the process with status 1, and says why: what somebody can mend in one line, anything else with its trace. */
export function endWith(error: unknown): never {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}

const codeOf = (error: unknown): string => String((error as { readonly code?: unknown }).code ?? '');

/** Host and port as they stand in an address. */
const authorityOf = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there. End that process, or choose another port.',
  EACCES: 'this user may not use the port. Choose one above 1023.',
  EADDRNOTAVAIL: 'this machine has no such address. Choose one that it has, such as 127.0.0.1, or 0.0.0.0 for all.',
  ENOTFOUND: 'no address is known for that name. Give an address, such as 127.0.0.1, or correct the name.',
};

/** Why a server cannot listen. `settings` name the address, such as "HOST and PORT". */
export function listenFailure(error: unknown, settings: string, host: string, port: number): StartError {
  const code = codeOf(error);
  const reason = LISTEN_REASONS[code] ?? 'the system refuses that. Choose another address.';
  const verb = settings.includes(' and ') ? 'name' : 'names';
  return new StartError(`${settings} ${verb} ${authorityOf(host, port)}, and nothing can listen there: ${reason} (${code})`, {
    cause: error,
  });
}

/** Starts listening, and answers the server's base address. Port 0 takes any free one. Fails with a StartError that names the `settings`. */
export const listen = (server: Server, port: number, host: string, settings: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const refuse = (error: unknown) => reject(listenFailure(error, settings, host, port));
    // For good: a connection that cannot be accepted later, for want of a file handle, must not end the process.
    server.on('error', refuse);
    server.listen(port, host, () => resolve(`http://${authorityOf(host, (server.address() as AddressInfo).port)}`));
  });

/** The low byte of SQLite's result codes: https://www.sqlite.org/rescode.html */
const SQLITE_REASONS: ReadonlyMap<number, string> = new Map([
  [5, 'another process keeps it locked. End that process, or name another file.'],
  [8, 'this user may not write it. Change its mode, or name another file.'],
  [11, 'it is no SQLite database, or is damaged. Restore it, or name another file.'],
  [13, 'its disk is full. Make room, or name another file.'],
  [14, 'it cannot be opened. Name a file, in a folder that is there, that this user may read and write.'],
  [26, 'it is no SQLite database, or is damaged. Restore it, or name another file.'],
]);

const NOT_ALLOWED = 'this user may not read and write there. Change its owner or mode, or name another file.';
const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: NOT_ALLOWED,
  EISDIR: 'it is a folder. Name a file.',
  ENOTDIR: 'it is below a file, not below a folder. Name another file.',
  EEXIST: 'it is below a file, not below a folder. Name another file.',
  ENOENT: 'it cannot be made. Name a file in a folder that can be made.',
  ENOSPC: 'its disk is full. Make room, or name another file.',
};

/** Why a database's file cannot be used. `setting` is the variable that names it. An error of neither SQLite nor the system is answered as it is. */
export function fileFailure(error: unknown, setting: string, path: string): unknown {
  const { errcode, message } = error as { readonly errcode?: unknown; readonly message?: string };
  const isSqlite = codeOf(error) === 'ERR_SQLITE_ERROR';
  const known = isSqlite ? SQLITE_REASONS.get(Number(errcode) & 0xff) : SYSTEM_REASONS[codeOf(error)];
  const reason = known ?? (isSqlite ? `SQLite says: ${message}. Name another file.` : undefined);
  return reason === undefined ? error : new StartError(`${setting} names ${path}, which cannot be used: ${reason}`, { cause: error });
}
