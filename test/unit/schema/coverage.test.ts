import { type GraphQLOutputType, getNamedType, isLeafType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../sandbox/index.ts';
import { listExposedOperations } from '../../../scripts/contract/exposure.ts';
import { records as recordFields } from '../../../src/upstream/contract/generated/messages.ts';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import { getGraph } from '../../support/getGraph.ts';

const { schema: graph } = getGraph();

const exposed = new Set(listExposedOperations(graph).map(({ operation }) => operation.name));

describe('operations of the contract', () => {
  it('have a field in the graph', () => {
    expect(operations.map(({ name }) => name).filter((name) => !exposed.has(name))).toEqual([]);
  });

  it('have a handler in the sandbox', () => {
    const served = new Set(endpoints.map(({ name }) => name));
    expect(operations.map(({ name }) => name).filter((name) => !served.has(name))).toEqual([]);
  });
});

/** The contract's record messages, by name. */
const records = new Map(
  endpoints
    .flatMap(({ method }) => [method.input.file, method.output.file])
    .flatMap(({ messages }) => messages)
    .filter(({ name }) => name.endsWith('Record'))
    .map((message) => [message.name, message] as const),
);

/** Fields of records that no GraphQL field exposes, with the reason. */
const UNEXPOSED: Readonly<Record<string, string>> = {
  'ApiKeyRecord.scopes': 'Viewer.scopes, because some upstreams return it elsewhere',
  'AppointmentSlotRecord.memberIds': 'AppointmentSlot.members, which costs a call',
  'OrderCancellationImpactRecord.currency': 'every amount contains it',
  'InvoiceRecord.id': 'no lookup accepts it: order, connection and version identify an invoice',
  'MemberInviteLinkRecord.roleIds': 'the caller has just sent them, and links cannot be read again',
  'MemberInviteLinkRecord.teamIds': 'like roleIds',
  'RefundRecord.customerId': 'the order leads to the customer',
  'RefundRecord.currency': 'the amount contains it',
  'RefundRecord.requestId': 'only the caller of the mutation knows its key',
};

/** The types with a field that returns the record, or a list of it. */
function findOwners(message: string): Set<string> {
  const objects = Object.values(graph.getTypeMap()).filter(isObjectType);
  const returnsRecord = (type: GraphQLOutputType): boolean => {
    const named = getNamedType(type);
    if (!isObjectType(named)) return false;
    const { nodes } = named.getFields();
    return named.extensions.record === message || (nodes !== undefined && returnsRecord(nodes.type));
  };
  const owners = objects.filter(({ name }) => !/(Connection|Edge)$/.test(name));
  return new Set(
    owners.filter((type) => Object.values(type.getFields()).some((field) => returnsRecord(field.type))).map(({ name }) => name),
  );
}

/** Whether the record belongs only to the record that the field refers to. */
function refersToOwner(message: string, member: string): boolean {
  const owners = findOwners(message);
  const owner = recordFields[message]?.fields[member]?.refers;
  return owner !== undefined && owners.size === 1 && owners.has(owner);
}

/** The record's fields that the resolvers of its type read. */
async function findExposedFields(message: string): Promise<Set<string>> {
  const readFields = new Set<string>();
  for (const type of Object.values(graph.getTypeMap()).filter(isObjectType)) {
    if (type.extensions.record !== message) continue;
    for (const { resolve, type: fieldType } of Object.values(type.getFields())) {
      // Amounts and lines contain the currency. Other records must expose it, too.
      const isExposed = (member: unknown): member is string =>
        typeof member === 'string' && (member !== 'currency' || isLeafType(getNamedType(fieldType)));
      const record = new Proxy({}, { get: (_target, member) => void (isExposed(member) && readFields.add(member)) });
      // The result doesn't matter, because there is no context.
      await (async () => resolve?.(record, {}, {}, {} as never))().catch(() => undefined);
    }
  }
  return readFields;
}

describe('record fields in the contract', () => {
  it.each([...records])('have a GraphQL field or an exemption: %s', async (name, { fields }) => {
    const exposed = await findExposedFields(name);
    const missing = fields.map(({ jsonName }) => jsonName).filter((member) => !exposed.has(member) && !refersToOwner(name, member));
    expect(missing).toEqual(
      Object.keys(UNEXPOSED)
        .filter((each) => each.startsWith(`${name}.`))
        .map((each) => each.split('.')[1]),
    );
  });
});
