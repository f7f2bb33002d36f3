import { relative } from 'node:path';
import { partsOf } from '../test/fidelity/sentence.ts';

/** The JSON of Vitest, as far as it is read. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly ancestorTitles: readonly string[]; readonly title: string; readonly status: string }[];
  }[];
}

/** Placeholders of `it.each`: `%s` and the like, and paths into a case such as `$entity.name`. */
const PLACEHOLDER = /%[sdifjoO]|\$[a-z_]\w*(?:\.\w+)*/gi;

/** Matches a title as `it.each` prints it: anything may stand where the source has a placeholder. */
const titlePattern = (titles: readonly string[]) => {
  const literal = titles.join(' > ').split(PLACEHOLDER);
  return new RegExp(`^${literal.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*')}$`, 's');
};

/** How each test of each file ended, by their names. */
export function statusesByFile(report: Report) {
  const byFile = report.testResults.map(({ name, assertionResults }) => {
    const tests = assertionResults.map(({ ancestorTitles, title, status }) => ({ name: [...ancestorTitles, title].join(' > '), status }));
    return [relative('.', name), tests] as const;
  });
  return new Map(byFile);
}

type Statuses = ReturnType<typeof statusesByFile>;

/** All cases that the title of a test stands for. */
export function casesOf(test: string, results: Statuses) {
  const { file, titles } = partsOf(test);
  const pattern = titlePattern(titles);
  return (results.get(file) ?? []).filter(({ name }) => pattern.test(name));
}

/** Nothing when the test was run and passed, in all the cases that its title stands for. */
export function complaintOf(test: string, results: Statuses): string | undefined {
  const found = casesOf(test, results);
  if (found.length === 0) return 'isn’t in the report. Specify a test that runs.';
  const others = found.filter(({ status }) => status !== 'passed');
  return others.length === 0 ? undefined : `didn’t pass: ${others.map(({ name, status }) => `${name} (${status})`).join('; ')}.`;
}
