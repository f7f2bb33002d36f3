import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

/** From the top down: a file may import from its own layer and those below it. */
const LAYERS = [
  'main.ts',
  'verify',
  'server',
  'tools',
  'graph.ts',
  'subgraph',
  'resolvers',
  'schema',
  'context.ts',
  'answerBudget.ts',
  'ledger',
  'loaders',
  'upstream',
  'failures.ts',
  'forbiddenMessage.ts',
  'errorCodes.ts',
  'lib',
];

/** The rooms of some layers, from the top down. Files that stand beside the rooms are above them. Areas are beside each other: below, they share a place. */
const AREAS = ['analytics', 'work', 'messages', 'billing', 'customers', 'sales', 'inventory', 'catalog', 'people', 'workspace'];
const ROOMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  // The short path comes first, and the refusals, which all others answer with, last.
  server: [['fast'], ['graphiql'], ['documents'], ['http'], ['execution']],
  upstream: [['calls'], ['traffic'], ['access'], ['contract'], ['transport']],
  schema: [['cost'], AREAS, ['kit']],
  resolvers: [AREAS, ['kit']],
};

const placeOf = (file: string) => {
  const [, layer = '', room = ''] = file.split('/');
  const rooms = ROOMS[layer] ?? [];
  return LAYERS.indexOf(layer) + (rooms.findIndex((names) => names.includes(room)) + 1) / 10;
};

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
  .map((name) => join('src', name));

/** Those of types, and those that are made late, included. */
const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport |\bimport\()'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(relative('.', join(file, '..', path))),
  );

/** Circles of imports that are there for a reason: Pothos reads fields late, so that types may refer to each other. */
const CIRCLES = [['src/schema/sales/orders.ts', 'src/schema/sales/quotes.ts']];

/** The files that a file leads to by its imports, over any number of others. */
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

/** Files that lead to each other, by circle. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reach = new Map([...imports.keys()].map((file) => [file, reachableFrom(file, imports)]));
  const circleOf = (file: string) =>
    [...imports.keys()].filter((other) => reach.get(file)?.has(other) && reach.get(other)?.has(file)).sort();
  const circles = new Map([...imports.keys()].map(circleOf).map((circle) => [circle.join(), circle]));
  return [...circles.values()].filter((circle) => circle.length > 0);
}

describe('The layers of src/', () => {
  it.each(files)('%s belongs to a layer and imports from it or from below', (file) => {
    expect(placeOf(file), `${file} is in no layer`).toBeGreaterThanOrEqual(0);
    const upward = importsOf(file).filter((path) => !path.startsWith('src/') || placeOf(path) < placeOf(file));
    expect(upward).toEqual([]);
  });

  it('has no circle of imports but those that are named', () => {
    const imports = new Map(files.map((file) => [file, importsOf(file)]));
    expect(circlesIn(imports).toSorted()).toEqual(CIRCLES);
  });

  it('has one door to what makes the server faster', () => {
    const inside = (path: string) => path.startsWith('src/server/fast/');
    const doors = files.filter((file) => !inside(file) && importsOf(file).some(inside));
    expect(doors).toEqual(['src/server/handler.ts']);
  });

  it('calls the upstream from resolvers and loaders only', () => {
    const callers = files.filter((file) => /\bupstream\.call\(/.test(readFileSync(file, 'utf8')));
    expect(callers.length).toBeGreaterThan(10);
    expect(callers.filter((file) => !/^src\/(resolvers|loaders)\//.test(file))).toEqual([]);
  });

  it('makes fields over operations by the words of the kit only, which add their scopes', () => {
    const areas = files.filter((file) => /^src\/(schema|resolvers)\/(?!kit\/|cost\/)/.test(file)).map((file) => readFileSync(file, 'utf8'));
    expect(areas.filter((text) => /\b(calling|list|read|readAll|mutation|entity)\(/.test(text)).length).toBeGreaterThan(20);
    expect(areas.filter((text) => /\bdescribe\(|\bauthScopes:/.test(text))).toEqual([]);
  });

  it('has a resolver, or a schema, of the same name for every loader', () => {
    const named = (folder: string) => files.filter((file) => file.startsWith(`src/${folder}/`)).map((file) => file.split('/').at(-1));
    const machinery = ['loader.ts', 'loaderOver.ts', 'loaders.ts', 'cover.ts', 'children.ts', 'coverFailures.ts', 'overlappingPages.ts'];
    const domains = named('loaders').filter((name) => !machinery.includes(name ?? ''));
    expect(domains.filter((name) => !named('schema').includes(name) && !named('resolvers').includes(name))).toEqual([]);
  });
});

describe('The path of a call', () => {
  it('has the steps of chain.ts in docs/architecture.md, each in a file of its name', () => {
    const chain = readFileSync('src/upstream/calls/chain.ts', 'utf8');
    const steps = Array.from(chain.matchAll(/^ \* \d\. `(\w+)`/gm), ([, step = '']) => step);
    const calls = Array.from(
      chain.slice(chain.indexOf('export function')).matchAll(/(\w+)\((?=options|authorize|rehearse|deduplicate)/g),
      ([, step]) => step,
    );
    expect(steps.length).toBeGreaterThan(5);
    expect(steps.filter((step) => !calls.includes(step))).toEqual([]);
    for (const step of steps) expect(chain).toContain(` from './${step}.ts'`);
    expect(readFileSync('docs/architecture.md', 'utf8')).toContain(steps.map((step) => `\`${step}\``).join(' → '));
  });
});
