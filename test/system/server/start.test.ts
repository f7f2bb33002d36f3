import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { startGraph, startProcess } from '../../support/faults/process.ts';
import { startProgram } from '../../support/program.ts';
import { postQuery } from '../../support/testGraph.ts';

it.each(['SIGTERM', 'SIGINT'] as const)('npm start serves the graph over the sandbox, and ends in good order on %s', async (signal) => {
  const { child, url, output } = await startProgram(['src/cli/startWithSandbox.ts'], {}, /Workspace Graph on (\S+)\/graphql/);
  for (const key of [
    'demo-owner',
    'demo-sales',
    'demo-warehouse',
    'demo-reader',
    'demo-creator',
    'demo-restricted',
    'demo-expired',
    'demo-revoked',
    'demo-office',
  ]) {
    expect(output()).toContain(key);
  }
  const { data } = await postQuery(url, 'demo-owner', '{ viewer { workspace { name } } }');
  expect(data).toEqual({ viewer: { workspace: { name: 'Demo Works' } } });
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('the graph alone writes nothing but log lines, and ends in good order', async () => {
  const { child, output } = await startProgram(
    ['src/main.ts'],
    { UPSTREAM_URL: 'http://127.0.0.1:9', LEDGER_URL: 'file::memory:' },
    /"url":"(\S+?)\/graphql"/,
  );
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  for (const line of output().trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
});

it('the graph logs a warning for a misspelled setting, without its value', async () => {
  const { child, output } = await startProgram(
    ['src/main.ts'],
    { UPSTREAM_URL: 'http://127.0.0.1:9', LEDGER_URL: 'file::memory:', INTROSPECTON: 'a-value' },
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
  ]);
  expect(output()).not.toContain('a-value');
});

it('a failure that nobody waits for does not end the graph', async () => {
  const failing = "process.on('message', () => { Promise.reject(new Error('of nobody')); setImmediate(() => process.send('alive')); });";
  const graph = await startGraph({ UPSTREAM_URL: 'http://127.0.0.1:9', LEDGER_URL: 'file::memory:' }, [
    '--import',
    `data:text/javascript,${encodeURIComponent(failing)}`,
  ]);
  onTestFinished(() => graph.kill());
  expect(await graph.requestMessage()).toBe('alive');
  const { data } = await postQuery(graph.url, 'demo-owner', '{ __typename }');
  expect(data).toEqual({ __typename: 'Query' });
});

it('a program that has ended is not waited for by what asks it', async () => {
  const { kill, requestMessage } = await startProcess(
    process.execPath,
    ['-e', "console.log('ready'); setInterval(() => {}, 1000)"],
    {},
    /ready/,
    true,
  );
  const asked = requestMessage();
  await kill();
  await expect(asked).rejects.toThrow('ended before it answered');
  await expect(requestMessage()).rejects.toThrow('ended before it answered');
});
