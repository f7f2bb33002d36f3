// Prints how much of the contract the graph exposes, what is missing, and how much of the contract the upstream documents.
import { createGraph } from '../../src/graph.ts';
import { readConfig } from '../../src/server/settings/config.ts';
import { operations } from '../../src/upstream/contract/generated/operations.ts';
import { listClaims } from './claims.ts';
import { listExposedOperations } from './exposure.ts';
import { listOverlayChanges } from './overlayChanges.ts';

const { schema: graph } = createGraph();

const exposed = new Set(listExposedOperations(graph).map(({ operation }) => operation.name));
const unexposed = operations.filter(({ name }) => !exposed.has(name));
console.log(`${operations.length - unexposed.length}/${operations.length} operations of the contract are exposed.`);
for (const { name } of unexposed) console.log(`  ${name}`);

console.log('\nDocumented by the upstream:');
for (const [kind, all] of Map.groupBy(listClaims(), (claim) => claim.kind)) {
  console.log(`  ${all.filter(({ isStated }) => isStated).length}/${all.length} ${kind}`);
}

const { CONTRACT_OVERLAY: overlay } = readConfig({ CONTRACT_OVERLAY: process.env.CONTRACT_OVERLAY });
const changes = listOverlayChanges(overlay);
if (changes.length > 0) console.log(`\nChanged by CONTRACT_OVERLAY:\n  ${changes.join('\n  ')}`);
