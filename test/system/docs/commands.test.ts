import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FULL } from '../../../sandbox/demo.ts';
import { OutcomeUnknownError } from '../../../src/failures/failures.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { openLedgerFile } from '../../../src/ledger/sqliteStore.ts';
import { CreateContact } from '../../../src/upstream/contract/generated/operations.ts';
import { listBlocks } from '../../support/codeBlocks.ts';
import { STATEMENTS } from '../../support/fidelity/statements.ts';
import type { CodeBlock } from '../../support/markdown.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';

const ROOT = process.cwd();
// The data of `npm start`.
const testGraph = useTestGraph({ seed: 1, sizes: FULL }, undefined, { env: { MCP: 'true' } });

/** A folder in which the commands run, with links to the files of the repository, except for those that commands create. */
const folder = mkdtempSync(join(tmpdir(), 'commands-'));
const NOT_LINKED = new Set(['build', 'coverage', 'data', 'results']);
for (const name of readdirSync(ROOT)) if (!NOT_LINKED.has(name)) symlinkSync(join(ROOT, name), join(folder, name));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file in the folder. Returns its path. */
function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

/** Writes a ledger with a mutation whose outcome is unknown. Returns the ID that `ledger list` prints. */
async function writeLedger(): Promise<string> {
  const store = await openLedgerFile(`file:${write('data/ledger.sqlite', '')}`);
  const ledger = new Ledger({ store, leaseMs: 60_000 });
  const lost = new OutcomeUnknownError({ startedAt: new Date(), idempotencyKey: null, advice: 'Look.', retry: 'CHECK_FIRST' });
  const sent = ledger.runOnce({
    keyHash: 'a key',
    callerId: 'a key',
    workspaceId: 'workspace',
    operation: CreateContact,
    idempotencyKey: '5f0c1e2a',
    request: {},
    findProblem: () => undefined,
    prepare: async () => {},
    send: () => Promise.reject(lost),
    redact: (response) => response,
    restore: (stored) => stored,
    reconcile: async () => undefined,
    recheckAccess: async () => {},
    isDeduplicatedUpstream: false,
  });
  await expect(sent).rejects.toThrow(OutcomeUnknownError);
  const [entry] = await store.unsettled();
  await ledger.close();
  return entry?.entry.attempt ?? '';
}

/** Writes the files that the pages refer to. Returns the replacements for what exists only in the reader's environment. */
async function prepare(): Promise<readonly (readonly [RegExp, string])[]> {
  write('overlay.yaml', 'operations:\n  Contact/ListContacts:\n    page: { maxSize: 40 }\n');
  write('old.graphql', readFileSync('schema.graphql', 'utf8'));
  write('queries.graphql', readFileSync('examples/02-customer-orders-stock.graphql', 'utf8'));
  write('mutations.graphql', 'mutation { quoteConfirm(input: { quoteId: "1" }) { __typename } }');
  const tests = Object.entries(STATEMENTS).filter(([, [, , , untested]]) => !untested);
  const results = tests.map(([id]) => ({ fullName: id, status: 'passed', tags: [`spec:${id}`] }));
  write('results/all.json', JSON.stringify({ testResults: [{ assertionResults: results }] }));
  const keys = write('keys.json', JSON.stringify({ 'auth0|5f7c8ec7': { key: 'demo-owner' } }));
  return [
    [/https:\/\/(?:api\.example\.com|…)|http:\/\/127\.0\.0\.1:4010/g, testGraph.sandbox.url],
    [/http:\/\/127\.0\.0\.1:4000/g, testGraph.url],
    [/(?<=KEY=)…/g, 'demo-owner'],
    [/…(?=\/deploy)/g, ROOT],
    [/\/secrets\/keys\.json/g, keys],
    [/(?<=resolve )[\da-f-]{36}/g, await writeLedger()],
    // A million orders take a minute.
    [/(?<=EXTRA_ORDERS=)\d+/g, '1000'],
    // A closed port, instead of a name that has to be looked up.
    [/http:\/\/collector:4318/g, 'http://127.0.0.1:9'],
  ];
}

let replacements: Awaited<ReturnType<typeof prepare>> = [];
beforeAll(async () => {
  replacements = await prepare();
});

const PRELUDE = join(ROOT, 'test/system/docs/prelude.sh');
const commands = listBlocks('commands');

/** The variables that earlier blocks of the page export, whose commands run in the same shell. */
const listExports = ({ place }: CodeBlock): string[] => {
  const [page = ''] = place.split(':');
  const earlier = commands.filter(([other]) => other.startsWith(`${page}:`) && Number(other.split(':')[1]) < Number(place.split(':')[1]));
  return earlier.flatMap(([, { text }]) => text.match(/^export .+$/gm) ?? []);
};

describe('commands of the pages', () => {
  it.each(commands)(
    '%s succeed',
    async (_, block) => {
      const lines = [`source ${PRELUDE}`, ...listExports(block), block.text].join('\n');
      const script = replacements.reduce((text, [pattern, value]) => text.replaceAll(pattern, value), lines);
      expect(script).not.toContain('…');
      const env = { ...process.env, ROOT, UPSTREAM: testGraph.sandbox.url, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}` };
      const child = spawn('bash', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const [output, errors, [code]] = await Promise.all([readText(child.stdout), readText(child.stderr), once(child, 'exit')]);
      expect(code, output + errors).toBe(0);
    },
    LONG_TEST_MS,
  );
});
