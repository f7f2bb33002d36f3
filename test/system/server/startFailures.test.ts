import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenFailure } from '../../../src/lib/starting.ts';
import { PROGRAM_MS } from '../../support/timeouts.ts';

const GRAPH = 'src/main.ts';
const BOTH = 'dev/start.ts';
const SANDBOX = 'sandbox/main.ts';

const directory = mkdtempSync(join(tmpdir(), 'start-'));
const fileOf = (name: string, content: string | Buffer = '') => {
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
};
const folder = join(directory, 'folder');
mkdirSync(folder);
const text40 = 'This is no database, and longer than the head of one. '.repeat(40);
const corrupt = fileOf('corrupt.sqlite', text40);
// The head of a database before bytes that are none.
const damaged = fileOf('damaged.sqlite', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4_096, 0x5a)]));
const foreign = join(directory, 'foreign.sqlite');
const ofOthers = new DatabaseSync(foreign);
ofOthers.exec('CREATE TABLE notes (id TEXT)');
ofOthers.close();
const locked = fileOf('locked');
chmodSync(locked, 0o000);
// Root may read everything: where the tests run as root, the program runs as nobody.
chmodSync(directory, 0o755);
const isRoot = process.getuid?.() === 0;

/** Takes a port of this machine, and asks everything that comes in vain. */
const silent = createServer();
let port = '';
beforeAll(async () => {
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const address = silent.address();
  port = typeof address === 'object' ? String(address?.port) : '';
});
afterAll(() => silent.close());

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Starts a program that cannot start, and waits for its end. */
async function start(file: string, settings: Record<string, string>, asNobody = false): Promise<Ended> {
  const env = { ...process.env, PORT: '0', SANDBOX_PORT: '0', LEDGER_URL: 'file::memory:', ...settings };
  const program = spawn(process.execPath, [file], { env, timeout: PROGRAM_MS, ...(asNobody && isRoot && { uid: 65_534, gid: 65_534 }) });
  const [output, errors, [code]] = await Promise.all([text(program.stdout), text(program.stderr), once(program, 'exit')]);
  return { code, output, errors: errors.trimEnd() };
}

/** A single line, which begins with these words and has the others. */
function expectLine({ code, output, errors }: Ended, begin: string, ...parts: readonly string[]) {
  expect(errors.split('\n'), errors).toHaveLength(1);
  expect(errors.startsWith(begin), errors).toBe(true);
  for (const part of parts) expect(errors).toContain(part);
  expect([code, output]).toEqual([1, '']);
}

describe('The graph ends with one line, which says what to do', () => {
  it.each([
    ['is no database', `file:${corrupt}`, [corrupt, 'it isn’t an SQLite database, or is damaged', 'Restore it']],
    ['is a damaged database', `file://${damaged}`, [damaged, 'it isn’t an SQLite database, or is damaged']],
    ['is the database of another program', `file:${foreign}`, [foreign, 'it’s the database of another program', 'Choose another file']],
    ['is a folder', `file:${folder}`, [folder, 'it’s a directory', 'Choose a file']],
    ['is below a file', `file:${corrupt}/ledger`, [`${corrupt}/ledger`, 'one of its parent directories is a file']],
    ['may not be read', `file:${locked}`, [locked, 'this user can’t read and write']],
    ['may not be made', `file:${directory}/sub/ledger`, [`${directory}/sub/ledger`, 'this user can’t read and write']],
    ['is where nothing can be made', 'file:/proc/none/ledger', ['/proc/none/ledger', 'it can’t be created']],
  ])('when the file of the ledger %s', async (name, url, parts) => {
    expectLine(await start(GRAPH, { LEDGER_URL: url }, name.startsWith('may not')), 'Can’t use ', '(LEDGER_URL)', ...parts);
  });

  it('when the file of the ledger is of another format', async () => {
    const newer = join(directory, 'newer.sqlite');
    const database = new DatabaseSync(newer);
    database.exec('PRAGMA user_version = 2');
    database.close();
    expectLine(
      await start(GRAPH, { LEDGER_URL: `file:${newer}` }),
      'The ledger file has format version 2',
      'Set LEDGER_URL to another file',
    );
  });

  it('when its port is taken', async () => {
    expectLine(
      await start(GRAPH, { PORT: port }),
      `Can’t listen on 127.0.0.1:${port} (HOST and PORT)`,
      'another process is listening there',
      'EADDRINUSE',
    );
  });

  it('when its address is not of this machine, or none', async () => {
    expectLine(
      await start(GRAPH, { HOST: '203.0.113.7' }),
      'Can’t listen on 203.0.113.7:0 (HOST and PORT)',
      'doesn’t have that address',
      'EADDRNOTAVAIL',
    );
    expectLine(
      await start(GRAPH, { HOST: 'nowhere.invalid' }),
      'Can’t listen on nowhere.invalid:0 (HOST and PORT)',
      'the host name can’t be resolved',
    );
  });

  it('when Redis cannot be reached, does not answer, or is something else', async () => {
    const begin = 'Can’t use the Redis server at 127.0.0.1:';
    const unreachable = await start(GRAPH, { LEDGER_URL: 'redis://user:secret@127.0.0.1:9/1' });
    expectLine(unreachable, begin, 'ECONNREFUSED', 'Start Redis, or correct LEDGER_URL');
    expect(unreachable.errors).not.toContain('secret');
    expectLine(await start(GRAPH, { LEDGER_URL: `redis://127.0.0.1:${port}` }), begin, 'didn’t respond within 2000 ms');
  });

  it.each([
    ['is not there', join(directory, 'nothing.json'), 'nothing.json failed with ENOENT'],
    ['is a folder', folder, 'failed with EISDIR'],
    ['is no JSON', corrupt, 'the file contains none'],
    ['may not be read', locked, 'failed with EACCES'],
  ])('when the file of trusted documents %s', async (_name, file, part) => {
    const { code, output, errors } = await start(GRAPH, { TRUSTED_DOCUMENTS: file }, true);
    expect([code, output, errors]).toEqual([
      1,
      '',
      expect.stringMatching(/^The graph cannot start:\n {2}TRUSTED_DOCUMENTS must be the path of [^\n]+$/),
    ]);
    expect(errors).toContain(part);
  });

  it('with a list of everything that is wrong, in settings, files, the schema, the ledger, the tools and the port', async () => {
    const tools = join(directory, 'tools');
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, 'wrong.graphql'), '# Nothing.\nquery wrong { nonsense }');
    const { code, output, errors } = await start(GRAPH, {
      NODE_ENV: 'prod',
      CORS_ORIGINS: 'https://app.example/',
      MCP_HOSTS: 'https://tools.example.com',
      TRUSTED_DOCUMENTS: join(directory, 'nothing.json'),
      CONTRACT_OVERLAY: corrupt,
      SUBGRAPH_RENAME: 'Nothing=Something',
      SUBGRAPH_TAGS: 'Nothing=public',
      LEDGER_URL: `file:${corrupt}`,
      MCP: 'true',
      MCP_DOCUMENTS: tools,
      PORT: port,
    });
    const [head, ...problems] = errors.split('\n');
    expect([code, output, head]).toEqual([1, '', 'The graph cannot start:']);
    expect(
      problems.map(
        (line) =>
          line
            .trim()
            .replace(/^Can’t (use|listen on) .*\((\w+)[^)]*\): .*$/, '$2')
            .split(/[ :]/)[0],
      ),
    ).toEqual([
      'CORS_ORIGINS',
      'CONTRACT_OVERLAY',
      'TRUSTED_DOCUMENTS',
      'MCP_HOSTS',
      'NODE_ENV',
      'LEDGER_URL',
      'SUBGRAPH_RENAME',
      'SUBGRAPH_TAGS',
      'MCP_DOCUMENTS',
      'HOST',
    ]);
  });

  it('with a list, when its settings are wrong in several ways', async () => {
    const { code, output, errors } = await start(GRAPH, {
      PORT: 'x',
      LOG_LEVEL: 'loud',
      LEDGER_URL: 'redis://:secret@:',
      UPSTREAM_URL: 'ftp://x',
    });
    const [head, ...problems] = errors.split('\n');
    expect([code, output, head]).toEqual([1, '', 'The graph cannot start:']);
    const named = problems.map((line) => /^ {2}(\w+) must .*\.$/.exec(line)?.[1]);
    expect(named.toSorted()).toEqual(['LEDGER_URL', 'LOG_LEVEL', 'PORT', 'UPSTREAM_URL']);
    expect(errors).not.toContain('secret');
  });

  it('after a warning for a misspelled setting, which may be why', async () => {
    const { code, output, errors } = await start(GRAPH, { TRUSTED_DOCUMENT: 'x', TRUSTED_DOCUMENTS_MODE: 'only' });
    expect([code, errors]).toEqual([1, expect.stringContaining('TRUSTED_DOCUMENTS_MODE=only requires TRUSTED_DOCUMENTS.')]);
    expect(JSON.parse(output)).toMatchObject({ level: 40, variable: 'TRUSTED_DOCUMENT', setting: 'TRUSTED_DOCUMENTS' });
  });

  it.each(['file:', 'file:///%ZZ', 'file://elsewhere/ledger', 'redis://', 'redis://host/x', 'redis://host:x', 'http://x'])(
    'when its ledger has the address %s',
    async (url) => {
      const { code, output, errors } = await start(GRAPH, { LEDGER_URL: url });
      expect([code, output, errors]).toEqual([1, '', expect.stringMatching(/^The graph cannot start:\n {2}LEDGER_URL must [^\n]+$/)]);
    },
  );
});

describe('The sandbox ends with one line, which says what to do', () => {
  it.each([
    ['is no database', corrupt, 'it isn’t an SQLite database, or is damaged'],
    ['is a damaged database', damaged, 'it isn’t an SQLite database, or is damaged'],
    ['is the database of another program', foreign, 'it’s the database of another program'],
    ['is a folder', folder, 'it can’t be opened'],
    ['may not be read', locked, 'it can’t be opened'],
    ['is in a folder that is not there', join(directory, 'none', 'data'), 'it can’t be opened'],
  ])('when the file of its data %s', async (_name, file, part) => {
    expectLine(await start(SANDBOX, { SANDBOX_DATA: file }, true), `Can’t use ${file} (SANDBOX_DATA): `, part);
  });

  it('when its port, or that of faults, is taken', async () => {
    expectLine(
      await start(SANDBOX, { SANDBOX_PORT: port }),
      `Can’t listen on 127.0.0.1:${port} (SANDBOX_HOST and SANDBOX_PORT)`,
      'EADDRINUSE',
    );
    expectLine(await start(SANDBOX, { SANDBOX_ADMIN_PORT: port }), `Can’t listen on 127.0.0.1:${port} (SANDBOX_ADMIN_PORT)`, 'EADDRINUSE');
  });

  it('with a list, when its settings are wrong', async () => {
    const { code, output, errors } = await start(SANDBOX, { SANDBOX_PORT: 'x', SANDBOX_JSON: 'maybe' });
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^The sandbox cannot start:\n {2}SANDBOX_\w+ must [^\n]+\n {2}SANDBOX_\w+ must [^\n]+$/);
  });
});

describe('npm start ends with one line, which says what to do', () => {
  it('when a port is taken, or a file cannot be used', async () => {
    expectLine(await start(BOTH, { PORT: port }), `Can’t listen on 127.0.0.1:${port} (HOST and PORT)`, 'EADDRINUSE');
    expectLine(
      await start(BOTH, { SANDBOX_PORT: port }),
      `Can’t listen on 127.0.0.1:${port} (SANDBOX_HOST and SANDBOX_PORT)`,
      'EADDRINUSE',
    );
    expectLine(await start(BOTH, { SANDBOX_DATA: corrupt }), `Can’t use ${corrupt} (SANDBOX_DATA): `);
    expectLine(await start(BOTH, { LEDGER_URL: `file:${corrupt}` }), `Can’t use ${corrupt} (LEDGER_URL): `);
    expect((await start(BOTH, { TRUSTED_DOCUMENTS: corrupt })).errors).toMatch(
      /^The graph cannot start:\n {2}TRUSTED_DOCUMENTS must [^\n]+$/,
    );
    expect((await start(BOTH, { PORT: 'x' })).errors).toMatch(/^The graph cannot start:\n {2}PORT must [^\n]+$/);
  });
});

it('a port that is for root only is told so', () => {
  const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
  expect(listenFailure(error, 'PORT', '::', 80).message).toBe(
    'Can’t listen on [::]:80 (PORT): this user isn’t allowed to use the port. Choose a port above 1023. (EACCES)',
  );
});
