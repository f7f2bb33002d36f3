// Prints how much of the upstream the graph exposes, what is missing, and how much of the contract the upstream documents.
import { createGraph } from '../src/graph.ts';
import { readConfig } from '../src/server/config.ts';
import { readCatalogue } from './catalogue.ts';
import { exposedBy } from './exposure.ts';
import { changesOf } from './overlayChanges.ts';
import { claims } from './provenance.ts';

const { schema: graph } = createGraph();

const exposed = new Set(exposedBy(graph).map(({ operation }) => operation.name));
const catalogue = readCatalogue();
console.log(`${catalogue.filter(({ name }) => exposed.has(name)).length}/${catalogue.length} upstream operations are exposed.`);

const missing = Map.groupBy(
  catalogue.filter(({ name }) => !exposed.has(name)),
  ({ name }) => name.split('/')[0],
);
for (const [service, entries] of missing) {
  const names = entries.map(({ name, excuse }) => name.split('/')[1] + (excuse ? ` (${excuse})` : ''));
  console.log(`  ${service}: ${names.join(', ')}`);
}

console.log('\nDocumented by the upstream:');
for (const [kind, all] of Map.groupBy(claims(), (claim) => claim.kind)) {
  console.log(`  ${all.filter(({ isStated }) => isStated).length}/${all.length} ${kind}`);
}

const { CONTRACT_OVERLAY: overlay } = readConfig({ CONTRACT_OVERLAY: process.env.CONTRACT_OVERLAY });
const changes = changesOf(overlay);
if (changes.length > 0) console.log(`\nChanged by CONTRACT_OVERLAY:\n  ${changes.join('\n  ')}`);
