// Checks that every statement of the upstream's specification has a passing test or a reason for having none. Reads JSON reports of test runs: files, or
// folders of them, given as arguments or in VITEST_RESULTS.
import '../help.ts';
import { globSync, readFileSync } from 'node:fs';
import { findProblems, groupResultsByStatement } from '../../test/support/fidelity/results.ts';
import { STATEMENTS } from '../../test/support/fidelity/statements.ts';

const { VITEST_RESULTS } = process.env;
const paths = process.argv.length > 2 ? process.argv.slice(2) : VITEST_RESULTS ? [VITEST_RESULTS] : [];
const files = paths.flatMap((path) => (path.endsWith('.json') ? path : globSync(`${path}/*.json`)));
if (files.length === 0) {
  console.error(
    'Missing test reports. Run `VITEST_RESULTS=results/all.json npm run test:all`, then `node scripts/check/fidelity.ts results`.',
  );
  process.exit(1);
}
const results = groupResultsByStatement(files.map((file) => JSON.parse(readFileSync(file, 'utf8'))));
const problems = findProblems(STATEMENTS, results);
for (const problem of problems) console.error(problem);
const statements = Object.entries(STATEMENTS);
const tested = statements.filter(([id]) => results.get(id)?.passed.length);
console.log(`${tested.length} of ${statements.length} statements have a test. Without a test:`);
for (const [id, [services, text, , untested]] of statements) if (untested) console.log(`  ${id} (${services}) ${text}. ${untested}`);
process.exitCode = problems.length === 0 ? 0 : 1;
