import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listBlocks } from '../../support/codeBlocks.ts';
import { listImports } from '../../support/imports.ts';

/** Layers from the top down. A file can import from its own layer and from those below it. */
const LAYERS = [
  'testing',
  'main.ts',
  'server',
  'tools',
  'graph.ts',
  'subgraph',
  'resolvers',
  'schema',
  'context.ts',
  'responseBudget.ts',
  'live',
  'ledger',
  'loaders',
  'upstream',
  'failures',
  'lib',
];

/** Subfolders of some layers, from the top down. Files outside the subfolders are above them. Areas in one group can't import each other. */
const AREAS = ['analytics', 'work', 'messages', 'billing', 'customers', 'sales', 'inventory', 'catalog', 'people', 'workspace'];
const ROOMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  server: [['graphiql'], ['pages'], ['telemetry'], ['auth'], ['settings'], ['documents'], ['http'], ['execution']],
  upstream: [['calls'], ['traffic'], ['access'], ['contract'], ['transport']],
  schema: [['cost'], AREAS, ['search'], ['paging'], ['kit']],
  resolvers: [AREAS, ['kit']],
};

/** The only code outside src/ that it imports: test graphs also start the sandbox. */
const isOutsideAllowed = (file: string, path: string) => file.startsWith('src/testing/') && path.startsWith('sandbox/');

const getLayerIndex = (file: string) => {
  const [, layer = '', room = ''] = file.split('/');
  const rooms = ROOMS[layer] ?? [];
  return LAYERS.indexOf(layer) + (rooms.findIndex((names) => names.includes(room)) + 1) / 10;
};

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
  .map((name) => join('src', name));

/** All files that a file imports, directly or indirectly. */
function reachableFrom(start: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [start];
  for (let file = open.pop(); file; file = open.pop()) {
    for (const next of imports.get(file) ?? []) {
      if (!found.has(next)) open.push(next);
      found.add(next);
    }
  }
  return found;
}

/** Files that import each other, by cycle. */
function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reach = new Map([...imports.keys()].map((file) => [file, reachableFrom(file, imports)]));
  const findCycle = (file: string) =>
    [...imports.keys()].filter((other) => reach.get(file)?.has(other) && reach.get(other)?.has(file)).sort();
  const circles = new Map([...imports.keys()].map(findCycle).map((circle) => [circle.join(), circle]));
  return [...circles.values()].filter((circle) => circle.length > 0);
}

describe('layers of src/', () => {
  it.each(files)('%s belongs to a layer, and imports only from it or from lower ones', (file) => {
    expect(getLayerIndex(file), `${file} is in no layer`).toBeGreaterThanOrEqual(0);
    const rejected = listImports(file).filter((path) =>
      path.startsWith('src/') ? getLayerIndex(path) < getLayerIndex(file) : !isOutsideAllowed(file, path),
    );
    expect(rejected).toEqual([]);
  });

  it('contain no import cycles', () => {
    const imports = new Map(files.map((file) => [file, listImports(file)]));
    expect(findCycles(imports)).toEqual([]);
  });

  it('call the upstream only from resolvers and loaders', () => {
    const callers = files.filter((file) => /\bupstream\.call\(/.test(readFileSync(file, 'utf8')));
    expect(callers.length).toBeGreaterThan(10);
    expect(callers.filter((file) => !/^src\/(resolvers|loaders)\//.test(file))).toEqual([]);
  });

  it('keep what is known about an API key in its object', () => {
    // Look-ups by the hash of a key, other than those of keys.
    const isLookedUp = /`\$\{(?:keyHash|key\.hash)\}|(?<!\bkeys)\.(?:get|set|delete)\([^;]*?(?:\bkeyHash\b|\.hash\b|hashApiKey\()/;
    const keyed = files.filter((file) => isLookedUp.test(readFileSync(file, 'utf8')));
    expect(keyed.filter((file) => !/^src\/(?:ledger|live|server\/auth)\//.test(file)).toSorted()).toEqual([
      // Counted once per turn of the event loop, from responses that clients haven't read.
      'src/server/execution/overload.ts',
      // The keys themselves.
      'src/upstream/calls/key.ts',
    ]);
  });

  it('define fields of operations only with the kit’s helpers, which add their scopes', () => {
    const areas = files
      .filter((file) => /^src\/(schema|resolvers)\/(?!kit\/|cost\/|search\/|paging\/)/.test(file))
      .map((file) => readFileSync(file, 'utf8'));
    expect(areas.filter((text) => /\b(calling|list|read|readAll|mutation|entity)\(/.test(text)).length).toBeGreaterThan(20);
    expect(areas.filter((text) => /\bdescribe\(|\bauthScopes:/.test(text))).toEqual([]);
  });

  it('have a resolver or a schema file with the name of every loader', () => {
    const named = (folder: string) => files.filter((file) => file.startsWith(`src/${folder}/`)).map((file) => file.split('/').at(-1));
    const machinery = [
      'loader.ts',
      'loaderForOperation.ts',
      'loaders.ts',
      'listScan.ts',
      'coveredRead.ts',
      'ownersList.ts',
      'recordList.ts',
    ];
    const domains = named('loaders').filter((name) => !machinery.includes(name ?? ''));
    expect(domains.filter((name) => !named('schema').includes(name) && !named('resolvers').includes(name))).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  /** The path of a request from the top down, each file with the steps below it. */
  const [[, diagram] = []] = listBlocks('path of a request');
  const path = Array.from((diagram?.text ?? '').matchAll(/^ [├└]─ (src\/\S+\.ts).*\n((?: │ {4}.*\n)*)/gm), ([, file = '', below = '']) => ({
    file,
    steps: Array.from(below.matchAll(/─ (src\/\S+\.ts)/g), ([, step = '']) => step),
  }));

  it('lists the layers from the top down', () => {
    const [, table = ''] = /^\| Layer \|.*\n\| --- .*\n((?:\|.*\n)+)/m.exec(page) ?? [];
    const rows = table.split('\n').map((row) => row.split('|')[1] ?? '');
    expect(rows.flatMap((names) => Array.from(names.matchAll(/`(.+?)`/g), ([, name]) => name))).toEqual(LAYERS);
  });

  it('contains a path of a request that leads down the layers', () => {
    const names = path.map(({ file }) => file);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((file) => !files.includes(file))).toEqual([]);
    expect(names.toSorted((one, other) => getLayerIndex(one) - getLayerIndex(other))).toEqual(names);
  });

  it('contains only steps that the file above imports, directly or through others', () => {
    const imports = new Map(files.map((file) => [file, listImports(file)]));
    expect(path.flatMap(({ steps }) => steps).length).toBeGreaterThan(10);
    for (const { file, steps } of path) {
      const reachable = reachableFrom(file, imports);
      expect(steps.filter((step) => !reachable.has(step))).toEqual([]);
    }
  });

  it('refers to the pipeline of a call, whose comment lists its methods in order', () => {
    const pipeline = readFileSync('src/upstream/calls/callPipeline.ts', 'utf8');
    const documented = Array.from(pipeline.matchAll(/^ \* \d\. `(#?\w+)`/gm), ([, step = '']) => step);
    const methods = Array.from(pipeline.matchAll(/^ {2}(?:async |readonly )?(#?\w+)(?: = )?\(call: /gm), ([, name = '']) => name);
    expect(documented.length).toBeGreaterThan(5);
    expect(methods.filter((name) => documented.includes(name))).toEqual(documented);
    expect(path.map(({ file }) => file)).toContain('src/upstream/calls/callPipeline.ts');
  });

  it('fits on two screens', () => {
    const lines = page.split('\n');
    expect(lines.length).toBeLessThanOrEqual(110);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });
});
