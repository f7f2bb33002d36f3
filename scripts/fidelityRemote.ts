// Runs the tests that the sentences of the specification name, as far as they go through HTTP alone, against another server: FIDELITY_URL with FIDELITY_KEY.
// Those that would change its data are left out unless FIDELITY_WRITES is true.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partsOf } from '../test/fidelity/sentence.ts';
import { SENTENCES } from '../test/fidelity/sentences.ts';
import { casesOf, statusesByFile } from './fidelityReport.ts';

const { FIDELITY_URL, FIDELITY_KEY } = process.env;
if (!FIDELITY_URL || !FIDELITY_KEY) {
  console.error('Missing server. Set FIDELITY_URL to its base URL and FIDELITY_KEY to the API key of a member with all permissions.');
  process.exit(1);
}

/** Tests of the sandbox: those of the graph have a sandbox of their own. */
const isOfSandbox = (test: string) => partsOf(test).file.startsWith('test/sandbox/');
const files = [...new Set(SENTENCES.flatMap(({ tests = [] }) => tests.filter(isOfSandbox)).map((test) => partsOf(test).file))];

const folder = mkdtempSync(join(tmpdir(), 'fidelity-'));
const report = join(folder, 'report.json');
// A single worker: the server counts the calls of a key.
spawnSync('npx', ['vitest', 'run', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`, ...files], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (!existsSync(report)) {
  console.error('The tests didn’t run. See the output above.');
  process.exit(1);
}
const results = statusesByFile(JSON.parse(readFileSync(report, 'utf8')));
rmSync(folder, { recursive: true, force: true });

const complaints: string[] = [];
let shown = 0;
for (const { line, says, tests = [] } of SENTENCES) {
  const run = tests.filter(
    (test) => isOfSandbox(test) && casesOf(test, results).some(({ status }) => status === 'passed' || status === 'failed'),
  );
  // A case that was left out is no complaint: others of its test were run.
  const broken = run.filter((test) => casesOf(test, results).some(({ status }) => status === 'failed'));
  if (run.length > 0 && broken.length === 0) shown += 1;
  for (const test of broken) complaints.push(`Line ${line}, "${says}": ${test} failed.`);
}
if (shown === 0) complaints.push('No test passed. Check that the server is running and accepts the key.');
for (const complaint of complaints) console.error(complaint);
const all = `${FIDELITY_URL} satisfies ${shown} of ${SENTENCES.length} statements`;
console.log(`${all}, with ${complaints.length} failures. The other tests need the sandbox’s internals, its demo data, or writes.`);
process.exitCode = complaints.length === 0 ? 0 : 1;
