import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Folders from the top down. A file can import from its own folder and from those below it. Files outside these folders are above all of them. */
const FOLDERS = ['analytics', 'work', 'messages', 'billing', 'sales', 'inventory', 'customers', 'catalog', 'people', 'workspace', 'kernel'];

/** Parts of src/ that the sandbox can import: the contract, and code that doesn't depend on the graph. */
const SHARED = ['src/lib/', 'src/upstream/contract/generated/'];

const files = readdirSync('sandbox', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join('sandbox', name));

const listImports = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import) '(\.[^']+)'/g)].map(([, path = '']) => normalize(join(file, '..', path)));

/** Subfolders belong to their top folder. */
const getFolder = (file: string) => file.split('/').slice(1, -1)[0] ?? '';
const getLayerIndex = (file: string) => FOLDERS.indexOf(getFolder(file));

/** The files of an import cycle. Undefined if there is none. */
function circleFrom(file: string, way: readonly string[], done: Set<string>): readonly string[] | undefined {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
  if (done.has(file)) return undefined;
  for (const next of listImports(file).filter((path) => path.startsWith('sandbox/'))) {
    const circle = circleFrom(next, [...way, file], done);
    if (circle) return circle;
  }
  done.add(file);
  return undefined;
}

describe('layers of sandbox/', () => {
  it.each(files)('%s imports only from its folder or from lower ones', (file) => {
    expect([...FOLDERS, ''], `${file} is in no layer`).toContain(getFolder(file));
    const upward = listImports(file).filter((path) =>
      path.startsWith('sandbox/') ? getLayerIndex(path) < getLayerIndex(file) : !SHARED.some((start) => path.startsWith(start)),
    );
    expect(upward).toEqual([]);
  });

  it('contain no import cycles, including type imports', () => {
    const done = new Set<string>();
    const circles = files.map((file) => circleFrom(file, [], done)).filter((circle) => circle !== undefined);
    expect(files.length).toBeGreaterThan(50);
    expect(circles).toEqual([]);
  });
});
