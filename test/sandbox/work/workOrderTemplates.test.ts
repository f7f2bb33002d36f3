import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { FORBIDDEN, INVALID, MISSING, summarizeError } from '../errors.ts';
import { makeKey } from '../makeKey.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

const SITE = demoId('data field site_address');
const ARCHIVED = 'PUBLIC_WORK_ORDER_TEMPLATE_STATUS_ARCHIVED';

async function createTemplate(request: object = {}) {
  const { status, body } = await call('WorkOrderTemplate/CreateWorkOrderTemplate', { name: 'Made', title: 'To do', ...request });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.workOrderTemplate;
}

const get = async (id: string) => (await call('WorkOrderTemplate/GetWorkOrderTemplate', { id })).body.workOrderTemplate;

describe('work order template', () => {
  it('has the specified fields when it’s created', spec('4.4.9'), async () => {
    const tasks = [{ body: 'One' }, { body: 'Two' }];
    const template = await createTemplate({ description: 'How.', tasks, preferredLocationDataFieldId: SITE });
    expect(template).toMatchObject({ name: 'Made', title: 'To do', description: 'How.', tasks, preferredLocationDataFieldId: SITE });
    expect(await get(template.id)).toEqual(template);
  });

  it('requires a name, a title, and a field with locations', async () => {
    for (const request of [{ name: ' ' }, { title: '' }]) {
      const whole = { name: 'Made', title: 'To do', ...request };
      expect(summarizeError(await call('WorkOrderTemplate/CreateWorkOrderTemplate', whole))).toEqual(INVALID);
    }
    const wrong = { name: 'Made', title: 'To do', preferredLocationDataFieldId: demoId('data field budget') };
    expect(summarizeError(await call('WorkOrderTemplate/CreateWorkOrderTemplate', wrong))).toEqual(MISSING);
  });

  it('requires a location depending only on its field, regardless of customers’ values', spec('2.6.8'), async () => {
    const requires = async (id: string) => (await get(id)).requiresLocationOverride ?? false;
    expect(await requires((await createTemplate({ preferredLocationDataFieldId: SITE })).id)).toBe(false);
    expect(await requires((await createTemplate()).id)).toBe(true);
    // Its preferred field has been deleted.
    expect(await requires(demoId('work order template removal'))).toBe(true);
  });

  it('preserves omitted fields in an update, and copies in work orders', spec('4.4.9'), async () => {
    const template = await createTemplate({ tasks: [{ body: 'One' }], preferredLocationDataFieldId: SITE });
    const order = (await call('WorkOrder/CreateWorkOrder', { customerId: demoId('customer 0'), workOrderTemplateId: template.id })).body
      .workOrder;
    opened.sandbox.now += 60;
    const request = { id: template.id, title: 'Other' };
    const { body } = await call('WorkOrderTemplate/UpdateWorkOrderTemplate', request);
    const changed = { ...template, title: 'Other', updatedAt: String(opened.sandbox.now) };
    expect([body.workOrderTemplate, await get(template.id)]).toEqual([changed, changed]);
    expect((await call('WorkOrder/GetWorkOrder', { id: order.id })).body.workOrder.title).toBe('To do');
  });

  it('can be archived once, remains readable, and appears in the list of archived ones', spec('4.4.9'), async () => {
    const { id } = await createTemplate();
    const archive = async () => (await call('WorkOrderTemplate/ArchiveWorkOrderTemplate', { id })).body.workOrderTemplate;
    const first = await archive();
    expect(first).toMatchObject({ status: ARCHIVED, archivedAt: String(opened.sandbox.now) });
    opened.sandbox.now += 60;
    expect([await archive(), await get(id)]).toEqual([first, first]);
    const { workOrderTemplates } = (await call('WorkOrderTemplate/ListWorkOrderTemplates', { status: ARCHIVED })).body;
    expect(workOrderTemplates.map((template: { id: string }) => template.id)).toContain(id);
  });

  it('lists the fields with locations', spec('4.4.9'), async () => {
    opened.requiresDemoData();
    const { locationFields } = (await call('WorkOrderTemplate/ListWorkOrderTemplateLocationFields', {})).body;
    expect(locationFields).toEqual([
      { id: SITE, label: 'Site address' },
      { id: demoId('data field billing_address'), label: 'Billing address' },
    ]);
  });
});

describe('location field that the Customer View hides', () => {
  const BILLING = demoId('data field billing_address');
  const makeRestrictedKey = () => makeKey(opened.sandbox.world, { view: { customers: 'all', fields: ['site_address'] } });

  it('stays out of the list', async () => {
    opened.requiresDemoData();
    const { body } = await callAs(makeRestrictedKey(), 'WorkOrderTemplate/ListWorkOrderTemplateLocationFields', {});
    expect(body.locationFields).toEqual([{ id: SITE, label: 'Site address' }]);
  });

  it('can’t be selected for a template or a work order, and its name isn’t reported', async () => {
    const key = makeRestrictedKey();
    const { id } = await createTemplate();
    const customerId = demoId('customer 0');
    const { body } = await call('WorkOrder/CreateWorkOrder', { customerId, title: 'To do', locationDataFieldId: SITE });
    const responses = [
      await callAs(key, 'WorkOrderTemplate/CreateWorkOrderTemplate', { name: 'X', title: 'X', preferredLocationDataFieldId: BILLING }),
      await callAs(key, 'WorkOrderTemplate/UpdateWorkOrderTemplate', { id, preferredLocationDataFieldId: BILLING }),
      await callAs(key, 'WorkOrder/CreateWorkOrder', { customerId, title: 'X', locationDataFieldId: BILLING }),
      await callAs(key, 'WorkOrder/UpdateWorkOrder', { id: body.workOrder.id, locationDataFieldId: BILLING }),
    ];
    for (const response of responses) {
      expect(summarizeError(response)).toEqual(FORBIDDEN);
      expect(JSON.stringify(response.body)).not.toMatch(/billing/i);
    }
    expect((await callAs(key, 'WorkOrderTemplate/UpdateWorkOrderTemplate', { id, preferredLocationDataFieldId: SITE })).status).toBe(200);
  });
});

describe('template permissions', spec('5.30'), () => {
  const id = demoId('work order template service');
  const fetchStatuses = async (
    permission: 'planningAccess:READ_ONLY' | 'settingsAccess:READ_ONLY' | 'settingsAccess:READ_WRITE' | 'boardAccess:READ_WRITE',
  ) => {
    const key = makeKey(opened.sandbox.world, { permissions: [permission] });
    const sendRequest = async (operation: string, request: object) =>
      summarizeError(await callAs(key, `WorkOrderTemplate/${operation}`, request)).status;
    return {
      read: [await sendRequest('GetWorkOrderTemplate', { id }), await sendRequest('ListWorkOrderTemplates', {})],
      write: [
        await sendRequest('CreateWorkOrderTemplate', { name: 'Made', title: 'To do' }),
        await sendRequest('UpdateWorkOrderTemplate', { id, title: 'Service the heat pump' }),
      ],
    };
  };

  it('allow reading with access to content templates or settings', async () => {
    expect(await fetchStatuses('planningAccess:READ_ONLY')).toEqual({ read: [200, 200], write: [FORBIDDEN.status, FORBIDDEN.status] });
    expect(await fetchStatuses('settingsAccess:READ_ONLY')).toEqual({ read: [200, 200], write: [FORBIDDEN.status, FORBIDDEN.status] });
    expect((await fetchStatuses('boardAccess:READ_WRITE')).read).toEqual([FORBIDDEN.status, FORBIDDEN.status]);
  });

  it('allow writing with write access to settings', async () => {
    expect(await fetchStatuses('settingsAccess:READ_WRITE')).toEqual({ read: [200, 200], write: [200, 200] });
  });
});
