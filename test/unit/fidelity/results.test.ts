import { describe, expect, it } from 'vitest';
import { findProblems, groupResultsByStatement } from '../../support/fidelity/results.ts';
import type { Statement } from '../../support/fidelity/statement.ts';

const STATEMENTS: Readonly<Record<string, Statement>> = {
  '1.1': ['all', 'Requests have a body'],
  '1.2': ['all', 'Nothing is pushed', 'not observable', 'Absence of an interface.'],
};

/** A test report, from the status of each test and the IDs that it references. */
const createReport = (...tests: readonly (readonly [status: string, ...ids: readonly string[]])[]) => ({
  testResults: [
    {
      assertionResults: tests.map(([status, ...ids], index) => ({
        fullName: `test ${index}`,
        status,
        tags: ['slow', ...ids.map((id) => `spec:${id}`)],
      })),
    },
  ],
});

const listProblems = (...reports: readonly ReturnType<typeof createReport>[]) => findProblems(STATEMENTS, groupResultsByStatement(reports));

describe('findProblems', () => {
  it('returns nothing if each statement has a passing test or a reason for having none', () => {
    expect(listProblems(createReport(['passed', '1.1']))).toEqual([]);
  });

  it('accepts a passing test from any of several reports', () => {
    expect(listProblems(createReport(['skipped', '1.1']), createReport(['passed', '1.1']))).toEqual([]);
  });

  it.each(['failed', 'skipped', 'pending', 'todo'])('reports a statement whose only test is %s', (status) => {
    expect(listProblems(createReport([status, '1.1'], ['passed']))).toEqual(['1.1 (all) has no passing test: Requests have a body.']);
  });

  it('reports a statement with both a passing test and a reason for having none', () => {
    expect(listProblems(createReport(['passed', '1.1', '1.2']))).toEqual([
      '1.2 (all) has a passing test, but also a reason for having none: Nothing is pushed.',
    ]);
  });

  it('reports an ID that isn’t in the list, even of a skipped test', () => {
    expect(listProblems(createReport(['passed', '1.1'], ['skipped', '1.3']))).toEqual([
      '1.3 isn’t in the list of statements. Add it, or fix the test that names it.',
    ]);
  });
});
