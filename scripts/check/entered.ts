// Prints how many source files and functions a request enters: `npm run entered`. Counted with V8's precise coverage,
// once operations are compiled and their costs are known. With `-- --files`, lists the files.
import '../help.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serveGraph } from '../../src/server/serve.ts';
import { startSandbox } from '../../test/load/soak/processes.ts';
import { killAll } from '../../test/support/faults/process.ts';

const { values } = parseArgs({ options: { files: { type: 'boolean', default: false } } });

const ORDERS = `query ($id: ID!) {
  customer(id: $id) { id orders(first: 10) { nodes { status lines { product { name } } } } }
}`;
const CONFIRM = `mutation ($input: QuoteConfirmInput!) {
  quoteConfirm(input: $input) { ... on QuoteConfirmPayload { effect quote { status } } ... on MutationError { code message } }
}`;
const RECORDS = `{ customers(first: 50) { nodes {
  id orders(first: 10) { nodes { id } } quotes(first: 10, filter: { statuses: [CONCEPT] }) { nodes { id } }
} } }`;
/** Requests before the measured one, so that operations are compiled and their costs are known. */
const WARM_UPS = 3;

interface Page<Node> {
  readonly nodes: readonly Node[];
}

interface Node {
  readonly id: string;
}

interface Records {
  readonly customers: Page<Node & { readonly orders: Page<Node>; readonly quotes: Page<Node> }>;
}

const folder = mkdtempSync(join(tmpdir(), 'entered-'));
// The sandbox prints its demo keys, which are logged to the temporary folder.
process.env.TMPDIR = folder;
const sandbox = await startSandbox(join(folder, 'sandbox.sqlite'));
const app = await serveGraph({
  PORT: '0',
  LOG_LEVEL: 'silent',
  UPSTREAM_URL: sandbox.url,
  LEDGER_URL: `file:${join(folder, 'ledger.sqlite')}`,
  COMPILE_AFTER: '1',
});

async function send(query: string, variables: object): Promise<object> {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { authorization: 'Bearer demo-owner', 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { readonly data: object; readonly errors?: unknown };
  if (errors) throw new Error(`The request failed: ${JSON.stringify(errors)}`);
  return data;
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** Executions that are measured. A busy machine adds functions to some, such as those that wait. */
const EXECUTIONS = 10;

/** Files that an execution enters, each with the number of its functions. Each coverage report resets the counts. */
async function listEntered(run: () => Promise<unknown>) {
  await session.post('Profiler.takePreciseCoverage');
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result.flatMap(({ url, functions }) => {
    const file = url.startsWith('file:') ? relative('.', fileURLToPath(url)) : '';
    const called = functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0)).length;
    return file.startsWith('src/') && called > 0 ? [{ file, called }] : [];
  });
}

const countFunctions = (entered: readonly { readonly called: number }[]): number => entered.reduce((sum, { called }) => sum + called, 0);

/** Prints the files and functions of the execution that enters the fewest functions. */
async function count(name: string, run: () => Promise<unknown>): Promise<void> {
  let least = await listEntered(run);
  for (let execution = 1; execution < EXECUTIONS; execution += 1) {
    const entered = await listEntered(run);
    if (countFunctions(entered) < countFunctions(least)) least = entered;
  }
  console.log(`${name}: ${least.length} files, ${countFunctions(least)} functions`);
  if (values.files)
    for (const { file, called } of least.toSorted((a, b) => a.file.localeCompare(b.file)))
      console.log(`  ${String(called).padStart(3)}  ${file}`);
}

const { customers } = (await send(RECORDS, {})) as Records;
const id = customers.nodes.find(({ orders }) => orders.nodes.length > 0)?.id;
if (id === undefined) throw new Error('No customer of the demo data has orders.');
const drafts = customers.nodes.flatMap(({ quotes }) => quotes.nodes).values();
const confirm = () => {
  const quoteId = drafts.next().value?.id;
  return send(CONFIRM, { input: { quoteId, idempotencyKey: `confirm ${quoteId}` } });
};
for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) {
  await send(ORDERS, { id });
  await confirm();
}
await count('customer → orders(10) → lines → product', () => send(ORDERS, { id }));
await count('quoteConfirm', confirm);

session.disconnect();
await app.close();
await killAll();
rmSync(folder, { recursive: true });
