import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OLDEST_NODE, refusalOfNode } from '../../cli/nodeVersion.ts';

function call(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/main.ts', ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('workspace-graph', () => {
  it('tells its commands', () => {
    const { status, stdout, stderr } = call('--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}start .*UPSTREAM_URL/m);
    expect(stdout).toMatch(/^ {2}sandbox /m);
  });

  it('tells its version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(call('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([
    { args: ['stop'], message: 'Unknown command stop; expected start or sandbox. See workspace-graph --help.\n' },
    {
      args: ['sandbox', '--port=1'],
      message: 'No argument was expected, but --port=1 was given. Set environment variables in its place. See workspace-graph --help.\n',
    },
  ])('refuses $args, and says what to do', ({ args, message }) => {
    expect(call(...args)).toEqual({ status: 1, stdout: '', stderr: message });
  });

  it('refuses a Node that is too old, and no other', () => {
    expect(refusalOfNode('20.20.2')).toContain(`needs Node ${OLDEST_NODE} or newer, but this is Node 20.20.2`);
    expect(refusalOfNode('22.18.0')).not.toBeNull();
    expect([OLDEST_NODE, '22.20.1', '24.0.0', '26.10.0'].map(refusalOfNode)).toEqual([null, null, null, null]);
  });
});
