import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkNodeVersion, OLDEST_NODE } from '../../../src/lib/nodeVersion.ts';
import { openSandbox } from '../../sandbox/sandbox.ts';

function runCli(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/main.ts', ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('workspace-graph CLI', () => {
  it('lists its commands', () => {
    const { status, stdout, stderr } = runCli('--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}start .*UPSTREAM_URL/m);
    for (const name of ['sandbox', 'verify', 'can', 'ledger', 'export', 'analytics-types', 'create'])
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
  });

  it('prints its version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(runCli('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([
    {
      args: ['stop'],
      message:
        'Unknown command stop. Expected one of start, sandbox, verify, can, ledger, export, import, analytics-types, create. See workspace-graph --help.\n',
    },
    {
      args: ['sandbox', '--port=1'],
      message: 'Unexpected argument --port=1. Use environment variables instead. See workspace-graph --help.\n',
    },
    {
      args: ['create', '100%20'],
      message: expect.stringMatching(
        /^The path \/.*\/100%20 contains "%", with which Vitest or GraphQL Code Generator can’t load files\. Choose /,
      ),
    },
    { args: ['create', 'new!'], message: expect.stringMatching(/\/new! contains "!", with which /) },
    { args: ['create', 'examples'], message: 'examples isn’t empty. Choose another folder.\n' },
    {
      args: ['create', 'app', '--packages', 'cli'],
      message: expect.stringMatching(/^cli\/workspace-graph-\S+\.tgz doesn’t exist\. Pass /),
    },
  ])('rejects $args with a hint', ({ args, message }) => {
    expect(runCli(...args)).toEqual({ status: 1, stdout: '', stderr: message });
  });

  it('creates no app in a symbolic link', () => {
    const folder = mkdtempSync(join(tmpdir(), 'create-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'target'));
    symlinkSync(join(folder, 'target'), join(folder, 'link'));
    const stderr = `${join(folder, 'link')} is a symbolic link. Pass the path of the folder that it leads to.\n`;
    expect(runCli('create', join(folder, 'link'))).toEqual({ status: 1, stdout: '', stderr });
    expect(readdirSync(join(folder, 'target'))).toEqual([]);
  });

  it('creates an app next to .git, and prints how to enter a folder with spaces', () => {
    const folder = mkdtempSync(join(tmpdir(), 'create-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'my app/.git'), { recursive: true });
    const packages = join(folder, 'a $& "b"');
    mkdirSync(packages);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const name of ['workspace-graph', 'workspace-graph-client']) writeFileSync(join(packages, `${name}-${version}.tgz`), '');
    const { status, stdout, stderr } = runCli('create', join(folder, 'my app'), '--packages', packages);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`\n  cd "${folder}/my app"\n`);
    const { devDependencies } = JSON.parse(readFileSync(join(folder, 'my app/package.json'), 'utf8'));
    expect(devDependencies['workspace-graph']).toBe(`file:../a $& "b"/workspace-graph-${version}.tgz`);
  });

  it('passes arguments to programs and returns their exit codes', () => {
    const needs = runCli('can', '--document', 'examples/21-analytics-sql.graphql');
    expect([needs.status, needs.stderr]).toEqual([0, '']);
    expect(needs.stdout).toContain('analytics:read');
    for (const command of ['verify', 'can'])
      expect(runCli(command, '--help')).toEqual({ status: 0, stdout: expect.stringContaining('--propose'), stderr: '' });
    expect(runCli('start', '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Commands:'), stderr: '' });
    expect(runCli('verify')).toMatchObject({ status: 2, stderr: expect.stringContaining('--url') });
    expect(runCli('analytics-types', '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--file') });
  });

  it('exits silently if the reader of its output closes, and with the reason if the disk is full', () => {
    const run = (redirection: string) =>
      spawnSync(
        'bash',
        [
          '-c',
          `"$0" cli/main.ts can --document examples/21-analytics-sql.graphql ${redirection}; echo "$?" "\${PIPESTATUS[0]}" >&2`,
          process.execPath,
        ],
        {
          encoding: 'utf8',
        },
      ).stderr;
    // The pipe closes before the program starts.
    expect(run('| true')).toMatch(/^0 141\n$/);
    expect(run('> /dev/full')).toMatch(/^Can’t write the output: ENOSPC.*\n2 2\n$/);
  });

  it.each([
    ['--help', ''],
    ['--version', ''],
    ['bogus', '2>&1 '],
    ['verify --help', ''],
    ['can --help', ''],
    ['verify --bogus', '2>&1 '],
    ['analytics-types --help', ''],
    ['verify --json --max-calls 60 --url $URL', ''],
    ['verify --max-calls 60 --url $URL', ''],
    ['can --json --url $URL', ''],
  ])('prints no stack trace if the reader of its output closes: %s', async (args, redirection) => {
    const sandbox = await openSandbox();
    onTestFinished(() => sandbox.close());
    // The pipe closes before the program prints, or after the first line.
    for (const reader of ['true', 'head -1']) {
      const child = spawn('bash', ['-c', `"$0" cli/main.ts ${args} ${redirection}| ${reader}`, process.execPath], {
        env: { ...process.env, URL: sandbox.url, WORKSPACE_API_KEY: 'demo-owner' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [stdout, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr)]);
      expect(stderr).toBe('');
      expect(stdout).toMatch(reader === 'true' ? /^$/ : /^[^\n]+\n$/);
    }
  });

  // The program writes until it exits, so its output closes when it exits.
  it('exits when its npx shell exits without passing on the signal', async () => {
    const environment = { ...process.env, SANDBOX_PORT: '0', npm_lifecycle_event: 'npx', npm_lifecycle_script: 'workspace-graph' };
    const shell = spawn('sh', ['-c', `'${process.execPath}' cli/main.ts sandbox; exit`], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    await once(shell.stdout, 'data');
    const outputClosed = once(shell.stdout, 'close');
    onTestFinished(() => {
      // The process group no longer exists, unless the program is still running.
      if (!shell.stdout.destroyed) process.kill(-Number(shell.pid), 'SIGKILL');
    });
    shell.kill('SIGTERM');
    await outputClosed;
    expect(shell.signalCode).toBe('SIGTERM');
  });

  it('rejects only unsupported Node.js versions', () => {
    expect(checkNodeVersion('20.20.2')).toContain(`requires Node.js ${OLDEST_NODE} or later, but this is Node.js 20.20.2`);
    expect(checkNodeVersion('22.18.0')).not.toBeNull();
    expect([OLDEST_NODE, '22.20.1', '24.0.0', '26.10.0'].map(checkNodeVersion)).toEqual([null, null, null, null]);
  });
});
