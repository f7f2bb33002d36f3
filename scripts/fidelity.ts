// Holds the sentences of the upstream's specification to a report of the tests: each test that a sentence names was run and passed.
// The reports are Vitest's JSON, in the folder that the argument or VITEST_RESULTS names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { undecided } from '../test/fidelity/sentence.ts';
import { SENTENCES } from '../test/fidelity/sentences.ts';
import { complaintOf, statusesByFile } from './fidelityReport.ts';

const path = process.argv[2] ?? process.env.VITEST_RESULTS;
if (!path) {
  console.error('Missing test reports. Run `VITEST_RESULTS=reports npm run check`, or name the folder: `npm run fidelity -- reports`.');
  process.exit(1);
}
const reports = readdirSync(path).filter((name) => name.endsWith('.json'));
const results = statusesByFile({ testResults: reports.flatMap((name) => JSON.parse(readFileSync(join(path, name), 'utf8')).testResults) });
const complaints = [
  ...undecided(SENTENCES).map(({ line, says }) => `Line ${line}, "${says}", must have either tests or a reason for having none.`),
  ...SENTENCES.flatMap(({ line, says, tests = [] }) =>
    tests.flatMap((test) => {
      const complaint = complaintOf(test, results);
      return complaint ? [`Line ${line}, "${says}": ${test} ${complaint}`] : [];
    }),
  ),
];
for (const complaint of complaints) console.error(complaint);
const tested = SENTENCES.filter(({ tests = [] }) => tests.length > 0).length;
console.log(`${tested} of ${SENTENCES.length} statements have a test.`);
process.exitCode = complaints.length === 0 ? 0 : 1;
