import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSandboxConfig } from '../../../sandbox/kernel/config.ts';
import { serveSandbox } from '../../../sandbox/serve.ts';
import { openLedgerFile } from '../../../src/ledger/sqliteStore.ts';
import { createListenError, listen, StartError } from '../../../src/lib/startup.ts';
import { readSettings } from '../../../src/server/settings/config.ts';

const directory = mkdtempSync(join(tmpdir(), 'start-'));
const createFile = (name: string, content: string | Buffer) => {
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
};
const createDatabase = (name: string, sql: string) => {
  const file = join(directory, name);
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  return file;
};

const folder = join(directory, 'folder');
mkdirSync(folder);
const latin1 = createFile('latin1.json', Buffer.from('{"id":"{ café }"}', 'latin1'));
const text = createFile('text.sqlite', 'Longer than the header of a database. '.repeat(40));
const damaged = createFile('damaged.sqlite', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4_096, 0x5a)]));
const foreign = createDatabase('foreign.sqlite', 'CREATE TABLE notes (id TEXT)');
const newer = createDatabase('newer.sqlite', 'PRAGMA user_version = 2');

/** Waits for a start to fail, and returns the message of its StartError. */
async function getFailure(starting: Promise<unknown>): Promise<string> {
  const error = await starting.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartError);
  return (error as StartError).message;
}

/** Expects one line that starts with a text and contains others. */
function expectLine(message: string, start: string, ...parts: readonly string[]) {
  expect(message).not.toContain('\n');
  expect(message.startsWith(start), message).toBe(true);
  for (const part of parts) expect(message).toContain(part);
}

/** A port of this machine that is in use. */
async function takePort(): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const listenOn = (port: number, host: string) => listen(createHttpServer(), port, host, 'HOST and PORT');

describe('ledger', () => {
  it.each([
    ['is not a database', `file:${text}`, [text, 'it isn’t an SQLite database, or is damaged', 'Restore it']],
    ['is a damaged database', `file://${damaged}`, [damaged, 'it isn’t an SQLite database, or is damaged']],
    ['is the database of another program', `file:${foreign}`, [foreign, 'it’s the database of another program', 'Choose another file']],
    ['is a directory', `file:${folder}`, [folder, 'it’s a directory', 'Choose a file']],
    ['is below a file', `file:${text}/ledger`, [`${text}/ledger`, 'one of its parent directories is a file']],
    [
      'is in a missing folder',
      `file:${folder}/typo/ledger`,
      [`${folder}/typo/ledger`, 'its folder doesn’t exist', 'Create or mount the folder'],
    ],
  ])('rejects a file that %s, and says what to do', async (_name, url, parts) => {
    expectLine(await getFailure(openLedgerFile(url)), 'Can’t use ', '(LEDGER_URL)', ...parts);
  });

  it('rejects a file of another format version', async () => {
    expectLine(await getFailure(openLedgerFile(`file:${newer}`)), 'The ledger file has format version 2', 'Set LEDGER_URL to another file');
  });
});

describe('settings', () => {
  it.each(['file:', 'file:///%ZZ', 'file://elsewhere/ledger', 'redis://', 'redis://host/x', 'redis://host:x', 'http://x'])(
    'reject the ledger address %s',
    (url) => {
      expect(readSettings({ LEDGER_URL: url }).problems).toEqual([expect.stringMatching(/^LEDGER_URL must [^\n]+$/)]);
    },
  );

  it.each([
    ['is missing', join(directory, 'nothing.json'), 'nothing.json failed with ENOENT'],
    ['is a directory', folder, 'failed with EISDIR'],
    ['isn’t JSON', text, 'the file contains none'],
    ['isn’t UTF-8', latin1, 'failed with EILSEQ'],
  ])('reject a file of trusted documents that %s', (_name, file, part) => {
    const { problems } = readSettings({ TRUSTED_DOCUMENTS: file });
    expect(problems).toEqual([expect.stringMatching(/^TRUSTED_DOCUMENTS must be the path of [^\n]+$/)]);
    expect(problems[0]).toContain(part);
  });

  it('list all problems, without secrets', () => {
    const { problems } = readSettings({ PORT: 'x', LOG_LEVEL: 'loud', LEDGER_URL: 'redis://:secret@:', UPSTREAM_URL: 'ftp://x' });
    const variables = problems.map((problem) => /^(\w+) must .*\.$/.exec(problem)?.[1]);
    expect(variables.toSorted()).toEqual(['LEDGER_URL', 'LOG_LEVEL', 'PORT', 'UPSTREAM_URL']);
    expect(problems.join()).not.toContain('secret');
  });
});

describe('server', () => {
  it('accepts IPv4 and IPv6 on ::', async () => {
    const server = createHttpServer((_request, response) => response.end('here'));
    const { port } = new URL(await listen(server, 0, '::', 'HOST and PORT'));
    onTestFinished(() => void server.close());
    const hasIpv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));
    for (const host of ['127.0.0.1', ...(hasIpv6 ? ['[::1]'] : [])])
      expect(await (await fetch(`http://${host}:${port}`)).text()).toBe('here');
  });

  it('rejects a port that is in use', async () => {
    const port = await takePort();
    expectLine(
      await getFailure(listenOn(port, '127.0.0.1')),
      `Can’t listen on 127.0.0.1:${port} (HOST and PORT)`,
      'another process is listening there',
      'EADDRINUSE',
    );
  });

  it('rejects an address of another machine', async () => {
    expectLine(
      await getFailure(listenOn(0, '203.0.113.7')),
      'Can’t listen on 203.0.113.7:0 (HOST and PORT)',
      'doesn’t have that address',
      'EADDRNOTAVAIL',
    );
  });

  it('rejects a host name that can’t be resolved', async () => {
    expectLine(
      await getFailure(listenOn(0, 'nowhere.invalid')),
      'Can’t listen on nowhere.invalid:0 (HOST and PORT)',
      'the host name can’t be resolved',
    );
  });

  it('rejects a port that only root can use', () => {
    const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
    expect(createListenError(error, 'PORT', '::', 80).message).toBe(
      'Can’t listen on [::]:80 (PORT): this user isn’t allowed to use the port. Choose a port above 1023. (EACCES)',
    );
  });
});

describe('sandbox', () => {
  const serve = (env: Readonly<Record<string, string>>) => serveSandbox(readSandboxConfig({ SANDBOX_PORT: '0', ...env }));

  it.each([
    ['is not a database', text, 'it isn’t an SQLite database, or is damaged'],
    ['is a damaged database', damaged, 'it isn’t an SQLite database, or is damaged'],
    ['is the database of another program', foreign, 'it’s the database of another program'],
    ['is a directory', folder, 'it can’t be opened'],
    ['is in a missing directory', join(directory, 'none', 'data'), 'it can’t be opened'],
  ])('rejects a data file that %s', async (_name, file, part) => {
    expectLine(await getFailure(serve({ SANDBOX_DATA: file })), `Can’t use ${file} (SANDBOX_DATA): `, part);
  });

  it('lists all problems of its settings', () => {
    expect(() => readSandboxConfig({ SANDBOX_PORT: 'x', SANDBOX_JSON: 'maybe' })).toThrow(
      expect.objectContaining({
        name: 'StartError',
        message: expect.stringMatching(/^The sandbox cannot start:\n {2}SANDBOX_\w+ must [^\n]+\n {2}SANDBOX_\w+ must [^\n]+$/),
      }),
    );
  });
});
