import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const TEMPLATE = 'rawId name title description status archivedAt requiresLocation preferredLocationField { rawId label } tasks { body }';
const change = async (name: string, input: object) => {
  const Name = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const query = `mutation ($input: ${Name}Input!) { ${name}(input: $input) {
    __typename ... on ValidationError { issues { path code } } ... on NotFoundError { missingId path }
    ... on ${Name}Payload { effect workOrderTemplate { ${TEMPLATE} } } } }`;
  const { data, errors } = await testGraph.execute(query, { input });
  expect(errors).toBeUndefined();
  return data[name];
};

const SITE = demoId('data field site_address');
const createTemplate = async (input: object = {}) =>
  (await change('workOrderTemplateCreate', { name: 'Made', title: 'To do', ...input })).workOrderTemplate;

describe('work order templates', () => {
  it('filters by status and fetches location fields with one more call', async () => {
    const query = `query ($filter: WorkOrderTemplateFilterInput) {
      workOrderTemplates(first: 100, filter: $filter) { nodes { name requiresLocation preferredLocationField { label } } }
    }`;
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { filter: { status: 'ACTIVE' } }));
    expect([errors, calls]).toEqual([
      undefined,
      ['WorkOrderTemplate/ListWorkOrderTemplates', 'WorkOrderTemplate/ListWorkOrderTemplateLocationFields'],
    ]);
    expect(data.workOrderTemplates.nodes).toEqual([
      { name: 'Inspection', requiresLocation: true, preferredLocationField: null },
      { name: 'Installation', requiresLocation: false, preferredLocationField: { label: 'Site address' } },
      // Its field no longer exists.
      { name: 'Removal', requiresLocation: true, preferredLocationField: null },
      { name: 'Yearly service', requiresLocation: false, preferredLocationField: { label: 'Site address' } },
    ]);
    const archived = await testGraph.execute(query, { filter: { status: 'ARCHIVED' } });
    expect(archived.data.workOrderTemplates.nodes).toMatchObject([{ name: 'Fair visit' }]);
  });

  it('omits the location fields that the Customer View hides', async () => {
    const key = makeKey(testGraph.sandbox.world, { view: { customers: 'all', fields: ['billing_address'] } });
    const query = `{ workOrderLocationFields { label } workOrderTemplate(id: "${demoId('work order template service')}") { name preferredLocationField { label } } }`;
    const { data, errors } = await testGraph.executeAs(key, query);
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      workOrderLocationFields: [{ label: 'Billing address' }],
      workOrderTemplate: { name: 'Yearly service', preferredLocationField: null },
    });
  });

  it('batches the templates of many work orders into one list', async () => {
    for (let count = 0; count < 12; count += 1) {
      const { rawId: templateId } = await createTemplate({ title: `To do ${count}`, preferredLocationFieldId: SITE });
      const create = 'mutation ($input: WorkOrderCreateInput!) { workOrderCreate(input: $input) { __typename } }';
      await testGraph.execute(create, { input: { customerId: demoId('customer 0'), templateId } });
    }
    const listWorkOrders = () =>
      testGraph.recordCalls(() => testGraph.execute('{ workOrders(first: 100) { nodes { template { title } } } }'));
    await listWorkOrders();
    const [{ errors }, calls] = await listWorkOrders();
    expect([errors, calls]).toEqual([undefined, ['WorkOrder/ListWorkOrders', 'WorkOrderTemplate/ListWorkOrderTemplates']]);
  });

  it('lists the available location fields', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute('{ workOrderLocationFields { id rawId label } }'));
    expect(data.workOrderLocationFields[0]).toEqual({ id: toGlobalId('WorkOrderLocationField', SITE), rawId: SITE, label: 'Site address' });
    expect(calls).toEqual(['WorkOrderTemplate/ListWorkOrderTemplateLocationFields']);
  });
});

describe('Mutation.workOrderTemplateCreate', () => {
  it('creates an active template', async () => {
    const template = await createTemplate({ description: 'How.', tasks: [{ body: 'One' }], preferredLocationFieldId: SITE });
    expect(template).toMatchObject({
      status: 'ACTIVE',
      description: 'How.',
      tasks: [{ body: 'One' }],
      requiresLocation: false,
      preferredLocationField: { rawId: SITE, label: 'Site address' },
    });
  });
});

describe('Mutation.workOrderTemplateUpdate', () => {
  it('updates specified fields and clears the location field with null', async () => {
    const template = await createTemplate({ description: 'How.', tasks: [{ body: 'One' }], preferredLocationFieldId: SITE });
    const input = { workOrderTemplateId: template.rawId, title: 'Other', preferredLocationFieldId: null };
    const { workOrderTemplate } = await change('workOrderTemplateUpdate', input);
    expect(workOrderTemplate).toEqual({ ...template, title: 'Other', requiresLocation: true, preferredLocationField: null });
  });
});

describe('Mutation.workOrderTemplateArchive', () => {
  it('archives a template that remains readable, and reports UNCHANGED if it is repeated', async () => {
    const { rawId: workOrderTemplateId } = await createTemplate();
    const [first, calls] = await testGraph.recordCalls(() => change('workOrderTemplateArchive', { workOrderTemplateId }));
    expect([first, calls]).toMatchObject([
      { effect: 'DONE', workOrderTemplate: { status: 'ARCHIVED', archivedAt: expect.any(String) } },
      ['WorkOrderTemplate/GetWorkOrderTemplate', 'WorkOrderTemplate/ArchiveWorkOrderTemplate'],
    ]);
    expect(await change('workOrderTemplateArchive', { workOrderTemplateId })).toEqual({ ...first, effect: 'UNCHANGED' });
    const { data } = await testGraph.execute('query ($id: ID!) { workOrderTemplate(id: $id) { status } }', { id: workOrderTemplateId });
    expect(data.workOrderTemplate).toEqual({ status: 'ARCHIVED' });
  });
});
