import { isInputObjectType, isInterfaceType, isIntrospectionType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createReferencePages } from '../../../scripts/reference/referencePages.ts';
import { getOperation } from '../../../src/schema/kit/operations.ts';
import { getGraph } from '../../support/getGraph.ts';

const { schema } = getGraph();
const pages = createReferencePages(schema);
const whole = pages.map(({ text }) => text).join('\n');

/** The section of the pages about a root field or a type, by its anchor. */
const getSection = (anchor: string) => whole.split(`<a id="${anchor}"></a>`)[1]?.split('<a id=')[0] ?? '';

const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type) && !type.name.startsWith('_'));
const isRoot = ({ name }: { readonly name: string }) => ['Query', 'Mutation', 'Subscription'].includes(name);

describe('generated reference', () => {
  it('contains every field of each root once, with its scopes and its operation', () => {
    for (const root of types.filter(isRoot).filter(isObjectType)) {
      for (const field of Object.values(root.getFields()).filter(({ name }) => !name.startsWith('_'))) {
        const anchor = `${root.name}.${field.name}`;
        expect(whole.split(`<a id="${anchor}"></a>`), anchor).toHaveLength(2);
        const operation = getOperation(field);
        if (!operation) continue;
        expect(getSection(anchor), anchor).toContain(`Calls \`${operation.name}\`: `);
        for (const scope of operation.scopes) expect(getSection(anchor), anchor).toContain(`\`${scope}\``);
      }
    }
  });

  it('contains every field of every other type', () => {
    const withFields = types.filter((type) => !isRoot(type) && (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)));
    expect(withFields.length).toBeGreaterThan(300);
    for (const type of withFields) {
      if (!('getFields' in type)) continue;
      const section = getSection(type.name);
      const missing = Object.keys(type.getFields()).filter((name) => !new RegExp(`^\\| \`${name}[\`(]`, 'm').test(section));
      expect(missing, type.name).toEqual([]);
    }
  });

  it('links to types and root fields that exist on the linked page', () => {
    const links = [...whole.matchAll(/\]\(\/reference\/([\w/-]+)\/#([\w.]+)\)/g)];
    expect(links.length).toBeGreaterThan(1_000);
    const broken = links.filter(([, page, id]) => !pages.find(({ path }) => path === page)?.text.includes(`<a id="${id}"></a>`));
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it('documents a search with its records, and types that several pages of an area use on the page of the area', () => {
    const findPage = (anchor: string) => pages.find(({ text }) => text.includes(`<a id="${anchor}"></a>`))?.path;
    expect(['Query.orderSearch', 'OrderSearchConnection', 'Order', 'Mutation.quoteConfirm'].map(findPage)).toEqual([
      'sales/orders',
      'sales/orders',
      'sales/orders',
      'sales/quotes',
    ]);
    expect(['Mutation.inventoryMove', 'Query.node', 'Money'].map(findPage)).toEqual(['inventory', 'shared', 'shared']);
    expect(['JourneyStage', 'AdvancedTaskOwner'].map(findPage)).toEqual(['customers', 'work']);
  });

  it('marks the fields whose shape is assumed', () => {
    expect(getSection('Mutation.inventoryMove')).not.toContain('assumed');
    expect(getSection('Query.payment')).toContain('Its shape isn’t documented upstream.');
  });
});
