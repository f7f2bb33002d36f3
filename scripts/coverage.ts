// Prints how much of the upstream the graph exposes, and what is missing.
import { createGraph } from '../src/graph.ts';
import { readCatalogue } from './catalogue.ts';
import { exposedBy } from './exposure.ts';

const { schema: graph } = createGraph();

const exposed = new Set(exposedBy(graph).map(({ operation }) => operation.name));
const catalogue = readCatalogue();
console.log(`${catalogue.filter(({ name }) => exposed.has(name)).length}/${catalogue.length} operations are exposed.`);

const missing = Map.groupBy(
  catalogue.filter(({ name }) => !exposed.has(name)),
  ({ name }) => name.split('/')[0],
);
for (const [service, entries] of missing) {
  const names = entries.map(({ name, excuse }) => name.split('/')[1] + (excuse ? ` (${excuse})` : ''));
  console.log(`  ${service}: ${names.join(', ')}`);
}
