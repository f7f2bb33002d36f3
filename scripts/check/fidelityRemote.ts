// Runs the sandbox's tests of statements of the specification against another server: FIDELITY_URL with FIDELITY_KEY.
// Those that would change its data are skipped unless FIDELITY_WRITES is true.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { groupResultsByStatement } from '../../test/support/fidelity/results.ts';
import { STATEMENTS } from '../../test/support/fidelity/statements.ts';

const { FIDELITY_URL, FIDELITY_KEY } = process.env;
if (!FIDELITY_URL || !FIDELITY_KEY) {
  console.error('Missing server. Set FIDELITY_URL to its base URL and FIDELITY_KEY to the API key of a member with all permissions.');
  process.exit(1);
}

const me = await fetch(`${FIDELITY_URL.replace(/\/+$/, '')}/public-api/publicapi.v1.Workspace/Me`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${FIDELITY_KEY}` },
  body: '{}',
}).catch(() => undefined);
if (!me?.ok) {
  console.error(`${FIDELITY_URL} ${me ? `responds with status ${me.status}` : 'doesn’t respond'}. Check FIDELITY_URL and FIDELITY_KEY.`);
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'fidelity-'));
const report = join(folder, 'report.json');
// Only tests of this project can use another server. They run in one worker, because the server counts the calls of a key.
const which = ['--project=sandbox', '--tags-filter=spec:*', '--maxWorkers=1'];
spawnSync('npx', ['vitest', 'run', ...which, '--reporter=json', `--outputFile=${report}`], { stdio: ['ignore', 'ignore', 'inherit'] });
if (!existsSync(report)) {
  console.error('The tests didn’t run. See the output above.');
  process.exit(1);
}
const results = groupResultsByStatement([JSON.parse(readFileSync(report, 'utf8'))]);
rmSync(folder, { recursive: true, force: true });

const problems: string[] = [];
let satisfied = 0;
for (const [id, [, text]] of Object.entries(STATEMENTS)) {
  const { passed, failed } = results.get(id) ?? { passed: [], failed: [] };
  if (passed.length > 0 && failed.length === 0) satisfied += 1;
  for (const test of failed) problems.push(`${id} (${text}): ${test} failed.`);
}
for (const problem of problems) console.error(problem);
const all = `${FIDELITY_URL} satisfies ${satisfied} of ${Object.keys(STATEMENTS).length} statements`;
console.log(`${all}, with ${problems.length} failures. The other tests need the sandbox’s internals, its demo data, or writes.`);
process.exitCode = problems.length === 0 ? 0 : 1;
