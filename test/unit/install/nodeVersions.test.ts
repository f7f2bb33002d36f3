import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OLDEST_NODE } from '../../../src/lib/nodeVersion.ts';
import { docPages } from '../../support/docPages.ts';

const readEngines = (file: string): string => JSON.parse(readFileSync(file, 'utf8')).engines.node;

/** The minimum of the packages and the template, as the pages write it. */
const packages = OLDEST_NODE.replace(/\.0$/, '');
/** The minimum of the npm that installs a checkout. */
const checkout = readEngines('package.json').replace('>=', '');

describe('minimum of Node.js', () => {
  it.each(['client/package.json', 'examples/template/package.json'])('matches the engines of %s', (file) => {
    expect(readEngines(file)).toBe(`>=${OLDEST_NODE}`);
  });

  it('matches the check in created apps', () => {
    const [major, minor] = OLDEST_NODE.split('.');
    const config = readFileSync('examples/template/vite.config.ts', 'utf8');
    expect(config).toContain(`if (major < ${major} || (major === ${major} && minor < ${minor}))`);
    expect(config).toContain(`requires Node.js ${packages} or later`);
  });

  it.each(['README.md', 'docs/quick-start.md', 'docs/sandbox.md', 'docs/decisions/0026-packaging.md'])(
    'matches both minimums that %s names',
    (file) => {
      const page = docPages.get(file);
      expect(page).toContain(`Node.js ${packages}`);
      expect(page).toContain(`Node.js ${checkout} or later`);
    },
  );

  it.each(['client/README.md', 'examples/template/README.md', 'docs/deployment.md'])('matches the minimum that %s names', (file) => {
    expect(readFileSync(file, 'utf8')).toContain(`Node.js ${packages} or later`);
  });

  it('matches every minimum in all pages', () => {
    const others = [...docPages].flatMap(([file, page]) =>
      Array.from(page.matchAll(/Node\.js (\d[\d.]*\d) (?:or|and) (?:later|newer)/g), ([text, version]) => ({ file, text, version })),
    );
    expect(others.filter(({ version }) => version !== packages && version !== checkout)).toEqual([]);
  });

  it('causes no warnings in the documented commands of a checkout', () => {
    const commands = [...docPages].flatMap(([file, page]) =>
      Array.from(page.matchAll(/^npm ci(?! --prefix)[^#\n]*/gm), ([text]) => ({ file, text })),
    );
    expect(commands.length).toBeGreaterThan(2);
    expect(commands.filter(({ text }) => !/^npm ci (?:--\S+ )*--loglevel=error/.test(text))).toEqual([]);
  });
});
