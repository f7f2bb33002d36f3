// Holds the sentences of the upstream's specification to a report of the tests: each test that a sentence names was run and passed.
// The report is the JSON of Vitest, named by the argument or by VITEST_RESULTS.
import { readFileSync } from 'node:fs';
import { undecided } from '../test/fidelity/sentence.ts';
import { SENTENCES } from '../test/fidelity/sentences.ts';
import { complaintOf, statusesByFile } from './fidelityReport.ts';

const path = process.argv[2] ?? process.env.VITEST_RESULTS;
if (!path) {
  console.error('Missing test report. Run `VITEST_RESULTS=report.json npm test`, then `npm run fidelity -- report.json`.');
  process.exit(1);
}
const results = statusesByFile(JSON.parse(readFileSync(path, 'utf8')));
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
