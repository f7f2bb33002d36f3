import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { getPaths } from '../../../cli/bulk/files.ts';
import { acquireLock } from '../../../cli/bulk/lock.ts';
import { readCheckpoint } from '../../../cli/export/checkpoint.ts';
import { hashApiKey } from '../../../src/lib/keyHash.ts';
import { StartError } from '../../../src/lib/startup.ts';
import { START } from '../../sandbox/sandbox.ts';
import { addOrders, createOut, listFiles, readManifest, readRows, runExport } from '../../support/exports.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const run = (args: readonly string[], settings = {}) => runExport(testGraph.sandbox.url, args, settings);

beforeAll(() => addOrders(testGraph.sandbox.world, 600, `${START - 1_000_000} + n * 100`));

const ORDERS = ['orders', '--raw-ids', '--columns', 'id,status'];

/** Rejects all queries from this number on. */
function rejectQueriesFrom(number: number) {
  let count = 0;
  return interceptCalls(async (request, usual) => {
    if (request.path.endsWith('/ExecuteQuery')) count += 1;
    if (count < number) return usual(request);
    return { status: 401, headers: { 'content-type': 'application/json' }, body: '{"code":"unauthenticated","message":"Revoked."}' };
  });
}

/** An export that stopped after its first checkpoint. */
async function createStopped(...args: readonly string[]): Promise<string> {
  const out = createOut();
  await run([...ORDERS, ...args, '--out', out], { transport: rejectQueriesFrom(6) });
  expect(listFiles(out)).toEqual(['.part', '.checkpoint']);
  return out;
}

/** An export whose file is complete, but not published. */
async function createUnpublished(...args: readonly string[]): Promise<string> {
  const out = createOut();
  mkdirSync(`${out}.manifest.json`);
  expect(await run([...ORDERS, ...args, '--out', out])).toMatchObject({ code: 1, err: expect.stringContaining('it’s a directory') });
  rmdirSync(`${out}.manifest.json`);
  expect(listFiles(out)).toEqual(['.part', '.checkpoint']);
  return out;
}

const getMode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('export', () => {
  it('creates files that only their owner can access', async () => {
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    const out = createOut();
    const [modes, state] = [new Map<string, string>(), join(dirname(out), 'state.json')];
    const reject = rejectQueriesFrom(6);
    const observe = (transport: Parameters<typeof reject>[0]) => {
      const { send, close } = reject(transport);
      return {
        close,
        send: (request: Parameters<typeof send>[0]) => {
          for (const suffix of listFiles(out)) modes.set(suffix, getMode(`${out}${suffix}`));
          return send(request);
        },
      };
    };
    const args = [...ORDERS, '--incremental', state, '--out', out];
    expect(await run(args, { transport: observe })).toMatchObject({ code: 1 });
    for (const suffix of listFiles(out)) modes.set(suffix, getMode(`${out}${suffix}`));
    expect(await run(args)).toMatchObject({ code: 0 });
    for (const suffix of listFiles(out)) modes.set(suffix, getMode(`${out}${suffix}`));
    expect([...modes.keys()].toSorted()).toEqual(['', '.checkpoint', '.lock', '.manifest.json', '.part']);
    expect(new Set([...modes.values(), getMode(state)])).toEqual(new Set(['600']));
  });

  it.each(['', '.part', '.checkpoint', '.checkpoint.new', '.manifest.json', '.manifest.json.new', '.lock'])(
    'doesn’t write through a symbolic link at FILE%s',
    async (suffix) => {
      const out = createOut();
      const victim = join(dirname(out), 'victim');
      writeFileSync(victim, 'precious');
      symlinkSync(victim, `${out}${suffix}`);
      const { code, err } = await run(['orders', '--where', 'statuses: [CANCELLED]', '--overwrite', '--out', out]);
      expect(readFileSync(victim, 'utf8')).toBe('precious');
      const isRead = ['.checkpoint', '.lock'].includes(suffix);
      expect([code, err]).toEqual(isRead ? [1, expect.stringContaining('isn’t a regular file')] : [0, expect.stringContaining('Verified')]);
      if (!isRead) expect([lstatSync(out).isFile(), lstatSync(`${out}.manifest.json`).isFile()]).toEqual([true, true]);
    },
  );
});

describe('export with files that it didn’t create', () => {
  const replaceBy = (create: (copy: string, path: string) => void) => (path: string) => {
    const copy = `${path}.copy`;
    renameSync(path, copy);
    create(copy, path);
  };
  const REPLACEMENTS = [
    ['a symbolic link', replaceBy(symlinkSync)],
    ['a hard link', replaceBy(linkSync)],
    ['a directory', replaceBy((_, path) => mkdirSync(path))],
  ] as const;

  it.each(REPLACEMENTS.flatMap(([name, replace]) => ['.part', '.checkpoint', '.lock'].map((suffix) => [name, suffix, replace] as const)))(
    'rejects %s at FILE%s',
    async (_, suffix, replace) => {
      const out = await createStopped();
      if (suffix === '.lock') writeFileSync(`${out}.lock`, '{}');
      const before = readFileSync(`${out}${suffix}`, 'utf8');
      replace(`${out}${suffix}`);
      const { code, err } = await run([...ORDERS, '--out', out]);
      expect([code, err]).toEqual([1, expect.stringContaining(`Can’t use ${out}${suffix}: it isn’t a regular file of this user`)]);
      expect(readFileSync(`${out}${suffix}.copy`, 'utf8')).toBe(before);
    },
  );

  it('rejects files of another user', async () => {
    const out = await createStopped();
    const user = process.geteuid?.() ?? 0;
    onTestFinished(() => void vi.restoreAllMocks());
    // The lock is created, and the checkpoint is read.
    vi.spyOn(process as Required<typeof process>, 'geteuid')
      .mockReturnValueOnce(user)
      .mockReturnValue(user + 1);
    const { code, err } = await run([...ORDERS, '--out', out]);
    expect([code, err]).toEqual([1, expect.stringContaining(`Can’t use ${out}.checkpoint: it isn’t a regular file of this user`)]);
  });
});

describe('export with a changed checkpoint', () => {
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  type Json = any;
  type Path = readonly string[];

  const listPaths = (value: Json, path: Path = []): Path[] => [
    ...(path.length > 0 ? [path] : []),
    ...(typeof value === 'object' && value !== null ? Object.keys(value).flatMap((key) => listPaths(value[key], [...path, key])) : []),
  ];

  const VALUES: readonly Json[] = [undefined, null, -1, 1e308, 2 ** 53, '', '../../etc/passwd', [], {}, true, { $bigint: 'x' }];

  function replaceAt(root: Json, path: Path, value: Json): string {
    const copy = structuredClone(root);
    const parent = path.slice(0, -1).reduce((each, key) => each[key], copy);
    parent[path.at(-1) as string] = value;
    return JSON.stringify(copy);
  }

  it.each([
    ['an incomplete JSON file', () => createStopped()],
    ['an incomplete Parquet file', () => createStopped('--format', 'parquet')],
    ['a complete file', () => createUnpublished()],
  ])('rejects each changed member of a checkpoint of %s', async (name, create) => {
    const out = await create();
    const [json = '', signature] = readFileSync(`${out}.checkpoint`, 'utf8').split('\n');
    const root = JSON.parse(json);
    const part = readFileSync(`${out}.part`);
    const paths = listPaths(root);
    expect(paths.length).toBeGreaterThan(20);
    const identity = { ...root.identity, key: hashApiKey('demo-owner') };
    const read = (text: string) => {
      writeFileSync(`${out}.checkpoint`, `${text}\n${signature}\n`);
      return readCheckpoint({ paths: getPaths(out), identity, caller: 'demo-owner' });
    };
    expect(read(json)).toMatchObject({ rows: root.rows });
    for (const path of paths)
      for (const value of VALUES) {
        const text = replaceAt(root, path, value);
        if (text !== json) expect(() => read(text), `${path.join('.')} ${JSON.stringify(value)}`).toThrow(StartError);
      }
    // The file remains, so that --restart is a decision of the user.
    const { code, err } = await run([...ORDERS, ...(name.includes('Parquet') ? ['--format', 'parquet'] : []), '--out', out]);
    expect([code, err]).toEqual([1, expect.stringMatching(/Use --restart to discard it and start again\.$/)]);
    expect(readFileSync(`${out}.part`)).toEqual(part);
  });

  it('rejects a checkpoint that was signed with another key', async () => {
    const out = await createStopped();
    const text = readFileSync(`${out}.checkpoint`, 'utf8');
    writeFileSync(`${out}.checkpoint`, text.replace(hashApiKey('demo-owner'), hashApiKey('demo-neighbour')));
    const { code, err } = await run([...ORDERS, '--out', out], { key: 'demo-neighbour' });
    expect([code, err]).toEqual([1, expect.stringContaining('is damaged, or was changed')]);
  });
});

describe('export of a complete file that wasn’t published', () => {
  it('publishes it', async () => {
    const out = await createUnpublished();
    expect(await run([...ORDERS, '--out', out])).toMatchObject({ code: 0, err: expect.stringContaining('Verified') });
    expect([listFiles(out), readRows(out).length]).toEqual([['', '.manifest.json'], readManifest(out).rows.written]);
  });

  it.each([
    ['the file was changed', '.part', (out: string) => writeFileSync(`${out}.part`, '{}\n')],
    [
      'the file was replaced under its final name',
      '',
      (out: string) => {
        rmSync(`${out}.part`);
        writeFileSync(out, '{}\n');
      },
    ],
    ['the file is missing', '', (out: string) => rmSync(`${out}.part`)],
  ])('doesn’t report it as verified if %s', async (_, suffix, change) => {
    const out = await createUnpublished();
    change(out);
    const { code, err } = await run([...ORDERS, '--out', out]);
    expect([code, err]).toEqual([
      1,
      `${out}${suffix} is missing, or differs from its checkpoint. Use --restart to discard both and start again.`,
    ]);
    expect(listFiles(out)).toContain('.checkpoint');
  });
});

describe('export with a lock', () => {
  /** The lock of this process. */
  function readOwnLock() {
    const path = createOut('lock');
    const release = acquireLock(path);
    const lock = JSON.parse(readFileSync(path, 'utf8'));
    release();
    expect(existsSync(path)).toBe(false);
    return lock;
  }
  // Above the largest process ID of Linux.
  const ENDED = 2 ** 22 + 1;
  const isLinux = process.platform === 'linux';

  it.each([
    ['this process', {}, 1],
    ['a process that has ended', { pid: ENDED }, isLinux ? 0 : 1],
    ['a process whose ID is that of another one now', { startedAt: '1' }, isLinux ? 0 : 1],
    ['a process of another PID namespace', { pid: ENDED, scope: 'boot pid:[4026531999]' }, 1],
    ['a process of another host', { pid: ENDED, scope: 'other pid:[4026531836]', host: 'elsewhere' }, 1],
    ['a process whose scope is unknown', { pid: ENDED, scope: null, startedAt: null }, 1],
    ['an invalid process', { pid: -1, host: '\u001b[2J' }, 1],
  ])('handles the lock of %s', async (_, members, status) => {
    const out = createOut();
    const lock = { ...readOwnLock(), ...members };
    writeFileSync(`${out}.lock`, JSON.stringify(lock));
    const { code, err } = await run(['orders', '--where', 'statuses: [CANCELLED]', '--out', out]);
    expect([code, listFiles(out)]).toEqual([status, status === 0 ? ['', '.manifest.json'] : ['.lock']]);
    const holder = lock.pid === -1 ? 'process unknown on unknown' : `process ${lock.pid} on ${lock.host}`;
    if (status === 1)
      expect(err).toBe(`Another process may export to the same file (${holder}). Wait for it, or delete ${out}.lock if it has ended.`);
  });

  it.each(['', '[]', 'null', '{"pid":'])('handles the lock %j as one of a running process', async (text) => {
    const out = createOut();
    writeFileSync(`${out}.lock`, text);
    const { code, err } = await run(['orders', '--out', out]);
    expect([code, err]).toEqual([1, expect.stringContaining('process unknown on unknown')]);
  });
});
