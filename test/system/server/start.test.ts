import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { readManifest } from '../../../src/lib/packageRoot.ts';
import { startGraph, startProcess } from '../../support/faults/process.ts';
import { startProgram } from '../../support/program.ts';
import { postQuery } from '../../support/testGraph.ts';

it.each(['SIGTERM', 'SIGINT'] as const)('serves the graph over the sandbox with npm start and exits cleanly on %s', async (signal) => {
  const { child, url, output } = await startProgram(['cli/startWithSandbox.ts'], {}, /Workspace Graph on (\S+)\/graphql/);
  const lines = output().trim().split('\n');
  // The steps, before anything that takes long, and one thing to try.
  expect(lines.slice(0, 3)).toEqual([
    `Starting Workspace Graph ${readManifest().version} with its sandbox`,
    '  Creating the demo data…',
    '  Compiling the schema…',
  ]);
  expect(lines.filter((line) => /^ +demo-owner {2,}full access$/.test(line))).toHaveLength(1);
  expect(lines.at(-1)).toBe(`To try it, open ${url} in a browser.`);
  const { data } = await postQuery(url, 'demo-owner', '{ viewer { workspace { name } } }');
  expect(data).toEqual({ viewer: { workspace: { name: 'Demo Works' } } });
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('writes only log lines without the sandbox and exits cleanly', async () => {
  const { child, output } = await startProgram(
    ['src/main.ts'],
    { UPSTREAM_URL: 'http://127.0.0.1:9', LEDGER_URL: 'file::memory:' },
    /"url":"(\S+?)\/graphql"/,
  );
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  for (const line of output().trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
});

it('logs its limits, an unreachable upstream, and the steps of its shutdown', async () => {
  const { child, url, output } = await startProgram(
    ['src/main.ts'],
    { UPSTREAM_URL: 'http://127.0.0.1:9', LEDGER_URL: 'file::memory:', LOG_LEVEL: 'info', COST_LIMIT: '123' },
    /"url":"(\S+?)\/graphql"/,
  );
  await postQuery(url, 'demo-owner', '{ contacts(first: 1) { nodes { rawId } } }');
  child.kill('SIGTERM');
  await once(child, 'close');
  const lines = output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const upstream = '127.0.0.1:9';
  const start = { version: readManifest().version, node: process.version, upstream, ledger: 'memory', signIn: 'off', live: 'off' };
  expect(lines).toEqual([
    expect.objectContaining({ msg: 'listening', url: `${url}/graphql`, ...start, limits: expect.objectContaining({ COST_LIMIT: 123 }) }),
    expect.objectContaining({ msg: 'upstream calls failed', level: 40, host: upstream, code: 'ECONNREFUSED', syscall: 'connect' }),
    expect.objectContaining({ msg: 'request', level: 40, codes: ['UPSTREAM_UNAVAILABLE'] }),
    expect.objectContaining({ msg: 'shutdown requested', signal: 'SIGTERM' }),
    expect.objectContaining({ msg: 'requests drained' }),
    expect.objectContaining({ msg: 'closed' }),
  ]);
});

it('logs a warning for a misspelled and for a removed setting, without its value', async () => {
  const { child, output } = await startProgram(
    ['src/main.ts'],
    { UPSTREAM_URL: 'http://127.0.0.1:9', LEDGER_URL: 'file::memory:', INTROSPECTON: 'a-value', RAW_RECORDS: 'a-value' },
    /"url":"(\S+?)\/graphql"/,
  );
  child.kill('SIGTERM');
  await once(child, 'exit');
  const lines = output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ level }) => level === 40)).toEqual([
    expect.objectContaining({ variable: 'INTROSPECTON', setting: 'INTROSPECTION' }),
    expect.objectContaining({ variable: 'RAW_RECORDS', instead: expect.stringContaining('workspace-graph verify') }),
  ]);
  expect(output()).not.toContain('a-value');
});

it('survives an unhandled rejection', async () => {
  const failing = "process.on('message', () => { Promise.reject(new Error('unhandled')); setImmediate(() => process.send('alive')); });";
  const graph = await startGraph({ UPSTREAM_URL: 'http://127.0.0.1:9', LEDGER_URL: 'file::memory:' }, [
    '--import',
    `data:text/javascript,${encodeURIComponent(failing)}`,
  ]);
  onTestFinished(() => graph.kill());
  expect(await graph.requestMessage()).toBe('alive');
  const { data } = await postQuery(graph.url, 'demo-owner', '{ __typename }');
  expect(data).toEqual({ __typename: 'Query' });
});

it('rejects messages to a program that has exited', async () => {
  const { kill, requestMessage } = await startProcess(
    process.execPath,
    ['-e', "console.log('ready'); setInterval(() => {}, 1000)"],
    {},
    /ready/,
    true,
  );
  const message = requestMessage();
  await kill();
  await expect(message).rejects.toThrow('exited before it sent a message');
  await expect(requestMessage()).rejects.toThrow('exited before it sent a message');
});
