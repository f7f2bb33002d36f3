import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CheckName, checks, codeBlocks, findCheck, listBlocks } from '../../support/codeBlocks.ts';
import { docPages } from '../../support/docPages.ts';

/** Blocks that no test executes or compiles, by page, with the reason, which the page also contains. At most ten. */
const EXEMPT: readonly string[] = [
  'CONTRIBUTING.md: would run this test again',
  'docs/analytics-sql.md: a grammar; test/sandbox/analytics tests its rules',
  'docs/deployment.md: needs a cluster',
  'docs/quick-start.md: test/system/install/client.test.ts runs them in temporary folders',
  'docs/reliability.md: runs tests of npm test against another server',
];

const count = (outcome: 'executed' | 'compiled') =>
  codeBlocks.filter((block) => checks.get(findCheck(block) ?? '')?.outcome === outcome).length;

describe(`code blocks of the pages: ${count('executed')} executed, ${count('compiled')} compiled, ${EXEMPT.length} exempt`, () => {
  it('start with a fence that the tests recognize', () => {
    const fences = [...docPages.values()].flatMap((page) => page.match(/^[ \t]*(?:```|~~~)/gm) ?? []);
    expect(codeBlocks).toHaveLength(fences.length / 2);
  });

  it('have a check or a reason for having none', () => {
    const unknown = codeBlocks.filter((block) => block.unchecked === undefined && findCheck(block) === undefined);
    expect(unknown.map(({ place, language }) => `${place} (${language || 'no language'})`)).toEqual([]);
    const reasons = codeBlocks.flatMap(({ place, unchecked }) => (unchecked === undefined ? [] : [`${place.split(':')[0]}: ${unchecked}`]));
    expect(reasons).toEqual(EXEMPT);
    expect(EXEMPT.length).toBeLessThanOrEqual(10);
    expect(count('executed') + count('compiled') + EXEMPT.length).toBe(codeBlocks.length);
  });

  it.each([...checks])('occur in the test of the check: %s', (name, { test }) => {
    expect(readFileSync(test, 'utf8')).toContain(`listBlocks('${name}')`);
    expect(listBlocks(name as CheckName)).not.toEqual([]);
  });
});
