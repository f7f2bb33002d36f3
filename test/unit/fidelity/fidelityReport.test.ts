import { describe, expect, it } from 'vitest';
import { complaintOf, statusesByFile } from '../../../scripts/fidelityReport.ts';

const resultsOf = (...assertionResults: { ancestorTitles: string[]; title: string; status: string }[]) =>
  statusesByFile({ testResults: [{ name: 'test/a.test.ts', assertionResults }] });

const passed = (title: string) => ({ ancestorTitles: ['a text of SQL'], title, status: 'passed' });

describe('a test that a sentence names', () => {
  it.each([
    ['is read: %s', 'is read: SELECT $1 (all)'],
    ['%i of %j', '3 of {"a":1}'],
    ['can be written: $entity.name to $relationship.name', 'can be written: orders to lines'],
    ['costs $5 and more (really)', 'costs $5 and more (really)'],
  ])('is found where its title %j was printed as %j', (title, printed) => {
    expect(complaintOf(`test/a.test.ts > a text of SQL > ${title}`, resultsOf(passed(printed)))).toBeUndefined();
  });

  it('is not found under a longer title, nor under another one', () => {
    for (const printed of ['is read: x, and more', 'is not read: x']) {
      expect(complaintOf('test/a.test.ts > a text of SQL > is read: x', resultsOf(passed(printed)))).toContain('isn’t in the report');
    }
  });

  it('fails when a single case of it was skipped', () => {
    const results = resultsOf(passed('is read: a'), { ...passed('is read: b'), status: 'skipped' });
    expect(complaintOf('test/a.test.ts > a text of SQL > is read: %s', results)).toContain('is read: b (skipped)');
  });
});
