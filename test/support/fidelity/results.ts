import type { Statement } from './statement.ts';

/** The part of Vitest's JSON report that is read. */
interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string; readonly tags: readonly string[] }[];
  }[];
}

/** Full names of the tests of a statement that passed and that failed. Skipped tests aren't included. */
interface Results {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

/** Results by the statement IDs that tests name, which can include unknown ones. */
export function groupResultsByStatement(reports: readonly Report[]): ReadonlyMap<string, Results> {
  const results = new Map<string, { passed: string[]; failed: string[] }>();
  for (const { fullName, status, tags } of reports.flatMap(({ testResults }) => testResults.flatMap((file) => file.assertionResults))) {
    for (const tag of tags.filter((name) => name.startsWith('spec:'))) {
      const id = tag.slice('spec:'.length);
      const entry = results.get(id) ?? { passed: [], failed: [] };
      results.set(id, entry);
      if (status === 'passed' || status === 'failed') entry[status].push(fullName);
    }
  }
  return results;
}

/** Statements without either a passing test or a reason for having none, and IDs that aren't in the list. */
export function findProblems(statements: Readonly<Record<string, Statement>>, results: ReadonlyMap<string, Results>): readonly string[] {
  const unknown = [...results.keys()].filter((id) => !(id in statements));
  return [
    ...unknown.map((id) => `${id} isn’t in the list of statements. Add it, or fix the test that names it.`),
    ...Object.entries(statements).flatMap(([id, [services, text, , untested]]) => {
      const isTested = (results.get(id)?.passed.length ?? 0) > 0;
      if (isTested && untested) return [`${id} (${services}) has a passing test, but also a reason for having none: ${text}.`];
      return isTested || untested ? [] : [`${id} (${services}) has no passing test: ${text}.`];
    }),
  ];
}
