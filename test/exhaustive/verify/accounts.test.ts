import { chmodSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../cli/verify/command.ts';
import { openSandbox, type TestSandbox } from '../../sandbox/sandbox.ts';
import { AssignmentFile } from '../../support/signIn.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const file = new AssignmentFile({});
const FILE = { AUTH_KEYS: `file:${file.path}` };
/** A valid entry, whose account is limited to scopes that its key has. */
const ALICE = { key: 'demo-sales', scopes: ['me:read', 'quote:read'], issuedAfter: 1_772_442_000 };

async function run(args: readonly string[], env: Record<string, string> = FILE) {
  const out: string[] = [];
  const err: string[] = [];
  const output = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) };
  const before = sandbox.received.length;
  const code = await runCommand(['verify', '--url', sandbox.url, ...args], env, output);
  const calls = sandbox.received.slice(before).map(({ operation }) => operation);
  return { code, out: out.join(''), err: err.join(''), calls };
}

/** Checks assignments in a file, and returns the code and the lines of the report. */
async function check(entries: object, ...args: readonly string[]) {
  file.write(entries);
  const { code, out, err, calls } = await run(['--accounts', ...args]);
  expect(err).toBe('');
  expect(out).not.toContain('demo-');
  return { code, lines: out.trimEnd().split('\n'), calls };
}

describe('verify --accounts', () => {
  it('exits with 0 if all API keys can be used, and calls the upstream once per key', async () => {
    const entries = { alice: ALICE, bob: { key: 'demo-sales' }, 'Planning team': { key: 'demo-owner' } };
    expect(await check(entries)).toEqual({
      code: 0,
      lines: ['3 accounts, 0 with a problem.', 'OK             alice', 'OK             bob', 'OK             "Planning team"'],
      calls: ['Workspace/Me', 'Workspace/Me'],
    });
  });

  it('reports malformed entries without calling the upstream', async () => {
    const { code, lines, calls } = await check({
      alice: 'demo-owner',
      bob: { key: 'demo-owner\n' },
      carol: { key: 'demo-owner', scopes: 'quote:read' },
      dora: { key: 'demo-owner', issuedAfter: 'now' },
      // Wouldn't limit the account.
      erin: { key: 'demo-owner', scope: ['quote:read'] },
      frank: { 'demo-owner': '' },
    });
    expect([code, calls]).toEqual([1, []]);
    expect(lines).toEqual([
      '6 accounts, 6 with a problem.',
      'MALFORMED      alice  The entry must be an object with `key`.',
      'MALFORMED      bob  The entry must have a `key` of visible ASCII characters.',
      'MALFORMED      carol  The entry must have `scopes` that are an array of strings.',
      'MALFORMED      dora  The entry must have an `issuedAfter` in Unix seconds.',
      'MALFORMED      erin  The entry must have no other members than `key`, `scopes` and `issuedAfter`.',
      'MALFORMED      frank  The entry must have no other members than `key`, `scopes` and `issuedAfter`.',
    ]);
  });

  it('reports API keys that the upstream rejects, and scopes that a key lacks', async () => {
    const { code, lines } = await check({
      alice: { key: 'demo-revoked' },
      bob: { ...ALICE, scopes: ['quote:read', 'catalog:write', 'quotes:read'] },
      carol: ALICE,
    });
    expect(code).toBe(1);
    expect(lines).toEqual([
      '3 accounts, 2 with a problem.',
      expect.stringMatching(/^KEY_REJECTED {3}alice {2}The API key is invalid, expired, or revoked\./),
      'MISSING_SCOPE  bob  The key lacks catalog:write, quotes:read.',
      'OK             carol',
    ]);
  });

  it('exits with 2 if the upstream can’t be reached, or doesn’t allow this IP address', async () => {
    const { code, lines } = await check({ alice: ALICE, bob: { key: 'demo-office' } });
    expect([code, lines[1], lines[2]]).toEqual([2, 'OK             alice', expect.stringMatching(/^UNCHECKED {6}bob {2}.*ADDRESS/)]);
    const { code: offline, lines: failed } = await check({ alice: ALICE }, '--url', 'http://127.0.0.1:9');
    expect([offline, failed[1]]).toEqual([2, expect.stringMatching(/^UNCHECKED {6}alice {2}.*ECONNREFUSED/)]);
  });

  it('exits with 1 if other users can read the file, and still checks its entries', async () => {
    file.write({ alice: ALICE });
    chmodSync(file.path, 0o640);
    const { code, out } = await run(['--accounts']);
    chmodSync(file.path, 0o600);
    const problem = `${file.path} can be read by other users. Run: chmod 600 ${file.path}`;
    expect([code, out]).toEqual([1, `1 accounts, 0 with a problem.\n${problem}\nOK             alice\n`]);
  });

  it('checks single accounts, and reports those without an API key', async () => {
    const { code, lines, calls } = await check({ alice: ALICE, bob: {} }, '--account', 'alice', '--account', '__proto__');
    expect([code, calls]).toEqual([1, ['Workspace/Me']]);
    expect(lines.slice(1)).toEqual(['OK             alice', 'NO_KEY         __proto__  No API key is assigned.']);
  });

  it('checks the assignments in a variable, and prints JSON', async () => {
    const env = { AUTH_KEYS: 'env:ASSIGNED', ASSIGNED: JSON.stringify({ alice: { ...ALICE, scopes: ['catalog:write'] } }) };
    const { code, out } = await run(['--accounts', '--json'], env);
    const row = { account: 'alice', result: 'MISSING_SCOPE', detail: null, missingScopes: ['catalog:write'] };
    expect([code, JSON.parse(out)]).toEqual([1, { problem: null, accounts: [row] }]);
  });

  it.each([
    ['{"workspace": {"name": "Demo Works"}}', 0, /^UNKNOWN {8}alice {2}The upstream doesn’t report the scopes of the key\.$/],
    ['{"workspace": {}}', 2, /^UNCHECKED {6}alice {2}.*an empty response/],
  ])('reports an accepted API key whose scopes are unknown: %s', async (body, exitCode, line) => {
    sandbox.faults.add({ operation: 'Workspace/Me', body, times: 1 });
    const { code, lines } = await check({ alice: ALICE });
    expect([code, lines[1]]).toEqual([exitCode, expect.stringMatching(line)]);
  });

  it.each([
    [{}, 'Missing key store. Set AUTH_KEYS, as for the graph.\n'],
    [{ AUTH_KEYS: 'keys.json' }, /^AUTH_KEYS must be file:<path>/],
    [{ AUTH_KEYS: 'file:/nowhere/keys.json' }, /^AUTH_KEYS: ENOENT/],
    [{ AUTH_KEYS: 'env:BROKEN', BROKEN: '{"alice": {"key": "demo-owner"' }, /^AUTH_KEYS: BROKEN must contain a JSON object/],
    [{ AUTH_KEYS: 'env:UNSET' }, /^AUTH_KEYS: UNSET must contain a JSON object/],
    [
      { AUTH_KEYS: 'redis://127.0.0.1:9', AUTH_CLAIM: 'tenant' },
      /^Key stores in Redis can’t be listed\. .* value of the claim tenant\.\n$/,
    ],
  ])('exits with 2 if the key store can’t be read: %j', async (env, message) => {
    const { code, out, err } = await run(['--accounts'], env as Record<string, string>);
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(message)]);
    expect(err).not.toContain('demo-owner');
  });
});
