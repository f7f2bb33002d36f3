import { describe, expect, it } from 'vitest';
import { endpoints } from '../sandbox/services.ts';
import { readCatalogue } from '../scripts/catalogue.ts';
import { exposedBy } from '../scripts/exposure.ts';
import { createGraph } from '../src/graph.ts';
import { operations } from '../src/upstream/generated/operations.ts';

const { schema: graph } = createGraph();

const catalogue = readCatalogue();
const exposed = new Set(exposedBy(graph).map(({ operation }) => operation.name));
const inContract = new Set(operations.map(({ name }) => name));
const namesWhere = (test: (entry: (typeof catalogue)[number]) => boolean) => catalogue.filter(test).map(({ name }) => name);

describe('the operations of the upstream', () => {
  it('are listed once each', () => {
    expect(catalogue).toHaveLength(166);
    expect(new Set(catalogue.map(({ name }) => name)).size).toBe(166);
  });

  it('are exposed in the graph, or excused', () => {
    expect(namesWhere(({ name, excuse }) => !exposed.has(name) && excuse === null)).toEqual([]);
  });

  it('are not excused once they are exposed, or in the contract', () => {
    expect(namesWhere(({ name, excuse }) => excuse !== null && (exposed.has(name) || inContract.has(name)))).toEqual([]);
  });

  it('are all that the contract describes', () => {
    const listed = new Set(catalogue.map(({ name }) => name));
    expect([...inContract].filter((name) => !listed.has(name))).toEqual([]);
  });

  it('are served by the sandbox when the contract describes them', () => {
    const served = new Set(endpoints.map(({ name }) => name));
    expect([...inContract].filter((name) => !served.has(name))).toEqual([]);
  });
});
