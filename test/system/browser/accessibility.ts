import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The accessibility violations of a page, or of one of its elements, that are serious or critical: the rule and the elements. */
export async function findViolations(page: Page, selector = 'html'): Promise<string[]> {
  // Not as a script element, which the page's policy forbids.
  await page.evaluate(AXE);
  const { violations }: AxeResults = await page.evaluate(`axe.run(${JSON.stringify(selector)})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** The serious or critical violations of a page in the light and in the dark color scheme. */
export async function findSchemeViolations(page: Page): Promise<string[]> {
  const violations: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const violation of await findViolations(page)) violations.push(`${colorScheme}: ${violation}`);
  }
  return violations;
}
