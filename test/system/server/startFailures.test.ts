import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSandboxConfig } from '../../../sandbox/kernel/config.ts';
import { serveSandbox } from '../../../sandbox/serve.ts';
import { connectRedis } from '../../../src/lib/redis.ts';
import { PROGRAM_MS } from '../../support/timeouts.ts';

const GRAPH = 'src/main.ts';
const BOTH = 'cli/startWithSandbox.ts';
const SANDBOX = 'sandbox/main.ts';

const directory = mkdtempSync(join(tmpdir(), 'start-'));
const corrupt = join(directory, 'corrupt.sqlite');
writeFileSync(corrupt, 'Longer than the header of a database. '.repeat(40));
const locked = join(directory, 'locked');
writeFileSync(locked, '');
chmodSync(locked, 0o000);
// Root can read everything, so if the tests run as root, the program runs as an unprivileged user.
chmodSync(directory, 0o755);
const isRoot = process.getuid?.() === 0;

/** Accepts connections, and never responds. */
const silent = createServer();
let port = '';
beforeAll(async () => {
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  port = String((silent.address() as AddressInfo).port);
});
afterAll(() => silent.close());

interface Exit {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Starts a program that can't start, and waits for its exit. */
async function start(file: string, settings: Record<string, string>, asUnprivilegedUser = false): Promise<Exit> {
  const env = { ...process.env, PORT: '0', SANDBOX_PORT: '0', LEDGER_URL: 'file::memory:', ...settings };
  const program = spawn(process.execPath, [file], {
    env,
    timeout: PROGRAM_MS,
    ...(asUnprivilegedUser && isRoot && { uid: 65_534, gid: 65_534 }),
  });
  const [output, errors, [code]] = await Promise.all([text(program.stdout), text(program.stderr), once(program, 'exit')]);
  return { code, output, errors: errors.trimEnd() };
}

// Covers only process output and exit codes. `test/unit/server/startFailures.test.ts` covers the kinds of problems.
describe('graph', () => {
  it('exits with all problems of settings, files, the schema, the ledger, the tools, and the port', async () => {
    const tools = join(directory, 'tools');
    mkdirSync(tools);
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
      AUTH_ISSUER: 'https://login.example.com',
      AUTH_AUDIENCE: 'https://graph.example.com/graphql',
      MCP: 'true',
      MCP_DOCUMENTS: tools,
      PORT: port,
    });
    const [head, ...problems] = errors.split('\n');
    expect([code, output, head]).toEqual([1, '', 'The graph cannot start:']);
    const named = problems.map(
      (line) =>
        line
          .trim()
          .replace(/^Can’t (use|listen on) .*\((\w+)[^)]*\): .*$/, '$2')
          .split(/[ :]/)[0],
    );
    expect(named).toEqual([
      'CORS_ORIGINS',
      'CONTRACT_OVERLAY',
      'AUTH_ISSUER',
      'TRUSTED_DOCUMENTS',
      'MCP=true',
      'MCP_HOSTS',
      'NODE_ENV',
      'LEDGER_URL',
      'SUBGRAPH_RENAME',
      'SUBGRAPH_TAGS',
      'MCP_DOCUMENTS',
      'HOST',
    ]);
  });

  it('exits with one line if only its port is in use', async () => {
    const { code, output, errors } = await start(GRAPH, { PORT: port });
    expect(errors).toMatch(/^Can’t listen on 127\.0\.0\.1:\d+ \(HOST and PORT\): [^\n]+ \(EADDRINUSE\)$/);
    expect([code, output]).toEqual([1, '']);
  });

  it('exits with the files that its user can’t read', async () => {
    const { code, output, errors } = await start(GRAPH, { LEDGER_URL: `file:${locked}`, TRUSTED_DOCUMENTS: locked }, true);
    const [head, documents, ledger, ...others] = errors.split('\n');
    expect([code, output, head, others]).toEqual([1, '', 'The graph cannot start:', []]);
    expect(documents).toMatch(/^ {2}TRUSTED_DOCUMENTS must be the path of .* failed with EACCES/);
    expect(ledger).toContain(`Can’t use ${locked} (LEDGER_URL): this user can’t read and write`);
  });

  it('exits with the ledger file that its user can’t create', async () => {
    const { code, output, errors } = await start(GRAPH, { LEDGER_URL: `file:${directory}/ledger` }, true);
    expect(errors).toMatch(/^Can’t use \S+\/ledger \(LEDGER_URL\): this user can’t read and write [^\n]+$/);
    expect([code, output]).toEqual([1, '']);
  });

  it('logs a misspelled setting, which may be the cause, before it exits', async () => {
    const { code, output, errors } = await start(GRAPH, { TRUSTED_DOCUMENT: 'x', TRUSTED_DOCUMENTS_MODE: 'only' });
    expect([code, errors]).toEqual([1, expect.stringContaining('TRUSTED_DOCUMENTS_MODE=only requires TRUSTED_DOCUMENTS.')]);
    expect(JSON.parse(output)).toMatchObject({ level: 40, variable: 'TRUSTED_DOCUMENT', setting: 'TRUSTED_DOCUMENTS' });
  });
});

describe('connection to Redis', () => {
  it.each([
    [
      'no server is listening',
      () => 'redis://user:secret@127.0.0.1:9/1',
      /: connect ECONNREFUSED .* Start Redis, or correct LEDGER_URL\.$/,
    ],
    ['the server doesn’t respond', () => `redis://127.0.0.1:${port}`, /didn’t respond within 10000 ms/],
  ])('fails with one line, without the password, if %s', async (_name, url, reason) => {
    const error = await connectRedis(url(), () => {}).catch((failure: unknown) => failure);
    expect(error).toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^Can’t use the Redis server at 127\.0\.0\.1:\d+ \(LEDGER_URL\): [^\n]+$/),
    });
    expect(error).toMatchObject({ message: expect.stringMatching(reason) });
    expect((error as Error).message).not.toContain('secret');
  });
});

describe('sandbox', () => {
  it('exits with one line if its port is in use', async () => {
    const { code, output, errors } = await start(SANDBOX, { SANDBOX_PORT: port });
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^Can’t listen on 127\.0\.0\.1:\d+ \(SANDBOX_HOST and SANDBOX_PORT\): [^\n]+ \(EADDRINUSE\)$/);
  });

  it('fails to start if its admin port is in use', async () => {
    const config = readSandboxConfig({ SANDBOX_PORT: '0', SANDBOX_ADMIN_PORT: port });
    await expect(serveSandbox(config)).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^Can’t listen on 127\.0\.0\.1:\d+ \(SANDBOX_ADMIN_PORT\): [^\n]+ \(EADDRINUSE\)$/),
    });
  });
});

describe('npm start', () => {
  it('exits with one line of errors if the graph can’t start, and stops the sandbox', async () => {
    const { code, output, errors } = await start(BOTH, { LEDGER_URL: `file:${corrupt}` });
    expect([code, errors]).toEqual([1, expect.stringMatching(/^Can’t use \S+ \(LEDGER_URL\): [^\n]+$/)]);
    expect(output).not.toContain(' on http');
  });

  it('exits with one line of errors if the sandbox can’t start', async () => {
    const { code, output, errors } = await start(BOTH, { SANDBOX_PORT: port });
    expect(code).toBe(1);
    expect(output).not.toContain(' on http');
    expect(errors).toMatch(/^Can’t listen on 127\.0\.0\.1:\d+ \(SANDBOX_HOST and SANDBOX_PORT\): [^\n]+ \(EADDRINUSE\)$/);
  });
});
