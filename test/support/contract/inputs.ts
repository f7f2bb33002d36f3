import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { ACCESS_AREAS } from '../../../src/schema/people/roles.ts';
import { findIdType } from '../contract/graph.ts';
import { findFreeTime, type Records } from './records.ts';

export type Input = Readonly<Record<string, unknown>>;

/** Grants in every area. */
const FULL_READ_ACCESS = Object.fromEntries(
  [...Object.keys(ACCESS_AREAS), 'workflowAutomation'].map((area) => [area, { level: 'READ_ONLY' }]),
);

/** Input fields that the schema doesn't describe fully: optional ones that the mutation needs, and values with a special format. */
const SPECIAL: Readonly<Record<string, (records: Records) => Input | Promise<Input>>> = {
  advancedTaskAttach: async (records) => ({ owner: { problemId: await records.id('Problem') } }),
  advancedTaskUpdate: ({ mark }) => ({ values: { is_safe: mark }, isCompleted: true }),
  appointmentCreate: async (records) => ({
    startsAt: new Date(Number(await findFreeTime(records)) * 1000).toISOString(),
    description: records.mark,
  }),
  appointmentUpdate: ({ mark }) => ({ description: mark }),
  contactUpdate: ({ mark }) => ({ lastName: `${mark} again` }),
  customerCreate: ({ mark }) => ({ title: mark, email: `${mark.replace(' ', '')}@example.com` }),
  customerCustomFieldsUpdate: ({ mark }) => ({ customFields: [{ name: 'meter_number', value: { text: mark } }] }),
  customerFileUploadCreate: () => ({ contentType: 'application/pdf' }),
  customerJourneyStatusClear: async (records) => {
    const customerId = await records.id('Customer');
    await records.call('Journey/SetCustomerJourneyStatus', { customerId, statusId: await records.id('JourneyStatus') });
    return {};
  },
  customerUpdate: ({ mark }) => ({ title: `${mark} again` }),
  inventoryMove: async (records) => ({
    lines: [{ productId: await records.id('Product'), sourceLocationId: records.getDemoId('location 0'), quantity: 1 }],
  }),
  inventoryReceiptCreate: ({ mark }) => ({ reference: mark }),
  inventoryReturn: async (records) => {
    await records.call('Inventory/ConsumeReservation', { reservationId: await records.id('OrderReservation') });
    return {};
  },
  memberInvitationCreate: ({ mark }) => ({ email: `${mark.replace(' ', '')}@example.com` }),
  memberInviteLinkCreate: async (records) => ({ roleIds: [await records.id('Role')] }),
  orderCancel: ({ mark }) => ({ reason: mark }),
  paymentReceivedTotalSet: () => ({ totalReceived: { minorUnits: '7' } }),
  portfolioCustomFieldsUpdate: ({ mark }) => ({ customFields: [{ name: 'meter_number', value: { text: mark } }] }),
  portfolioCreate: ({ mark }) => ({ title: mark }),
  problemCreate: ({ mark }) => ({ title: mark }),
  problemUpdate: ({ mark }) => ({ title: `${mark} again` }),
  productCreate: ({ mark }) => ({ sku: mark }),
  productUpdate: ({ mark }) => ({ name: `${mark} again` }),
  teamMemberRemove: async (records) => {
    await records.call('Team/AddTeamMember', { teamId: await records.id('Team'), memberId: await records.id('Member') });
    return {};
  },
  teamUpdate: ({ mark }) => ({ name: `${mark} again` }),
  roleCreate: () => ({ access: FULL_READ_ACCESS }),
  roleUpdate: () => ({ access: FULL_READ_ACCESS }),
  workOrderComplete: async (records) => {
    const tasks = [{ taskId: await records.id('WorkOrderTask'), isCompleted: true }];
    await records.call('WorkOrder/UpdateWorkOrder', { id: await records.id('WorkOrder'), tasks });
    return {};
  },
  workOrderCreate: async (records) => ({ locationId: await records.id('WorkOrderLocation'), title: records.mark }),
  workOrderTemplateUpdate: ({ mark }) => ({ title: `${mark} again` }),
  workOrderUpdate: async (records) => ({ tasks: [{ taskId: await records.id('WorkOrderTask'), isCompleted: true }] }),
  quoteUpdate: async (records) => ({ lines: [{ productId: await records.id('Product'), quantity: 7 }] }),
};

/** Alternative inputs of a mutation that use another code path. */
export const VARIANTS: Readonly<Record<string, Readonly<Record<string, (records: Records) => Input | Promise<Input>>>>> = {
  orderCancel: {
    'with a refund': async (records) => {
      await records.receivePayment(1000);
      return { refund: { amount: { minorUnits: '100' } } };
    },
  },
};

const SCALARS: Readonly<Record<string, unknown>> = { Boolean: true, Decimal: '0.21', Int: 1, Int64: '1', Version: '1' };

/** Whether the input field is the second of two locations. */
const isDestination = (name: string) => name.startsWith('destination');

async function createSample(type: GraphQLInputType, name: string, records: Records): Promise<unknown> {
  const bare = getNullableType(type);
  if (isListType(bare)) return [await createSample(bare.ofType, name.replace(/s$/, ''), records)];
  if (isEnumType(bare)) return bare.getValues()[0]?.name;
  if (isInputObjectType(bare)) return createMembers(bare, records);
  if (bare.name === 'ID') return isDestination(name) ? records.getDemoId('location 1') : records.id(findIdType(name));
  if (bare.name === 'DateTime') return new Date(records.getFutureTimestamp(5) * 1000).toISOString();
  return SCALARS[bare.name] ?? records.mark;
}

async function createMembers(type: GraphQLInputObjectType, records: Records): Promise<Input> {
  const fields = Object.values(type.getFields());
  const required = type.isOneOf ? fields.slice(0, 1) : fields.filter((field) => isNonNullType(field.type));
  const members: [string, unknown][] = [];
  // Sequential, because a record may need another one, and each must be created only once.
  for (const field of required) members.push([field.name, await createSample(field.type, field.name, records)]);
  return Object.fromEntries(members);
}

/** A valid input of a mutation: the required fields, with values for their types, and the special ones. */
export async function createValidInput(
  mutation: string,
  type: GraphQLInputObjectType,
  variant: string | undefined,
  records: Records,
): Promise<Input> {
  const members = await createMembers(type, records);
  const special = await SPECIAL[mutation]?.(records);
  const varied = variant === undefined ? {} : await VARIANTS[mutation]?.[variant]?.(records);
  return { ...members, ...special, ...varied };
}
