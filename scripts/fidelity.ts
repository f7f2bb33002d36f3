// Holds the sentences of the upstream's specification to a report of the tests: each test that a sentence names was run and passed.
// The report is the JSON of Vitest, named by the argument or by VITEST_RESULTS.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { partsOf, undecided } from '../test/fidelity/sentence.ts';
import { SENTENCES } from '../test/fidelity/sentences.ts';

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly ancestorTitles: readonly string[]; readonly title: string; readonly status: string }[];
  }[];
}

/** Matches a title as `it.each` prints it: anything may stand where the source has `%s` and the like. */
const titlePattern = (titles: readonly string[]) => {
  const escaped = titles.join(' > ').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/%[sdifjoO]/g, '.*')}$`, 's');
};

function statusesByFile(report: Report) {
  const byFile = report.testResults.map(({ name, assertionResults }) => {
    const tests = assertionResults.map(({ ancestorTitles, title, status }) => ({ name: [...ancestorTitles, title].join(' > '), status }));
    return [relative('.', name), tests] as const;
  });
  return new Map(byFile);
}

/** Nothing when the test was run and passed, in all the cases that its title stands for. */
function complaintOf(test: string, results: ReturnType<typeof statusesByFile>): string | undefined {
  const { file, titles } = partsOf(test);
  const pattern = titlePattern(titles);
  const found = (results.get(file) ?? []).filter(({ name }) => pattern.test(name));
  if (found.length === 0) return 'is not in the report. Name a test that is run.';
  const others = found.filter(({ status }) => status !== 'passed');
  return others.length === 0 ? undefined : `did not pass: ${others.map(({ name, status }) => `${name} (${status})`).join('; ')}.`;
}

const path = process.argv[2] ?? process.env.VITEST_RESULTS;
if (!path) {
  console.error('No report of the tests. Run `VITEST_RESULTS=report.json npm test`, then `npm run fidelity -- report.json`.');
  process.exit(1);
}
const results = statusesByFile(JSON.parse(readFileSync(path, 'utf8')));
const complaints = [
  ...undecided(SENTENCES).map(({ line, says }) => `Line ${line}, "${says}", has neither a test nor a reason, or both. Give one of them.`),
  ...SENTENCES.flatMap(({ line, says, tests = [] }) =>
    tests.flatMap((test) => {
      const complaint = complaintOf(test, results);
      return complaint ? [`Line ${line}, "${says}": ${test} ${complaint}`] : [];
    }),
  ),
];
for (const complaint of complaints) console.error(complaint);
const tested = SENTENCES.filter(({ tests = [] }) => tests.length > 0).length;
console.log(`${tested} of ${SENTENCES.length} sentences have a test.`);
process.exitCode = complaints.length === 0 ? 0 : 1;
