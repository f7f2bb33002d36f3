import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { docPages } from '../../support/docPages.ts';
import { listAnchors, listLinks } from '../../support/markdown.ts';

/** The problem with a link. Undefined if it's valid. */
function findProblem(file: string, target: string): string | undefined {
  const [path = '', anchor] = target.split('#');
  const linked = path === '' ? file : posix.join(posix.dirname(file), decodeURIComponent(path));
  if (!existsSync(linked)) return `${target} is not there`;
  if (anchor === undefined || /^L\d+/.test(anchor)) return;
  const page = statSync(linked).isDirectory() ? posix.join(linked, 'README.md') : linked;
  return listAnchors(readFileSync(page, 'utf8')).has(anchor) ? undefined : `${target} names no heading`;
}

it.each([...docPages])('links of %s have existing targets', (file, page) => {
  const own = listLinks(page).filter((target) => !/^(https?|mailto):/.test(target));
  expect(own.map((target) => findProblem(file, target)).filter(Boolean)).toEqual([]);
});

it('problemOf reports missing pages and headings', () => {
  expect(findProblem('docs/clients/relay.md', '../supergraph.md#settings')).toBeUndefined();
  expect(findProblem('docs/clients/relay.md', '../supergraph.md#no-such')).toBe('../supergraph.md#no-such names no heading');
  expect(findProblem('docs/clients/relay.md', 'no-such.md')).toBe('no-such.md is not there');
});
