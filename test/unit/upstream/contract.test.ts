import { type DescField, type DescMessage, getOption } from '@bufbuild/protobuf';
import { field as fieldRules, message as messageRules } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import { isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../sandbox/index.ts';
import { type SandboxCode, SandboxError } from '../../../sandbox/kernel/errors.ts';
import { listClaims } from '../../../scripts/contract/claims.ts';
import { readStatuses } from '../../../scripts/contract/statuses.ts';
import { getDeclaredTags } from '../../../src/subgraph/directives.ts';
import type { MessageField, MessageFields } from '../../../src/upstream/contract/fields.ts';
import * as messages from '../../../src/upstream/contract/generated/messages.ts';
import { records } from '../../../src/upstream/contract/generated/messages.ts';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import type { Rule, Rules } from '../../../src/upstream/contract/operation.ts';
import { getGraph } from '../../support/getGraph.ts';
import { spec } from '../../support/spec.ts';

const { schema: graph } = getGraph();

/** Names of rules in the registry, by their names in protovalidate. */
const RULE_NAMES: Readonly<Record<string, string>> = {
  minLen: 'minLength',
  maxLen: 'maxLength',
  minPairs: 'minItems',
  maxPairs: 'maxItems',
  notIn: 'not',
};

/** A protovalidate rule with its value. Undefined for rules that don't apply. The rules of a `oneof` have its name in theirs. */
function describeRule([name, value]: [string, unknown]): [string, unknown] | undefined {
  if (name.startsWith('$') || name === 'definedOnly' || name === 'example' || value === undefined || value === false) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : [name, name === 'notIn' ? value[0] : value];
  if (typeof value !== 'object' || value === null) return value === '' ? undefined : [name, value];
  const { case: chosen, value: bound } = value as { readonly case?: string; readonly value?: unknown };
  return chosen === undefined ? undefined : [chosen, bound];
}

/** The rules that protovalidate reads from a field, with the registry's names. */
function rulesOfField(field: DescField): Rule {
  const rules = getOption(field, fieldRules).type.value ?? {};
  const own = Object.entries(rules)
    .map(describeRule)
    .filter((rule) => rule !== undefined);
  const inner = field.fieldKind !== 'map' && field.message?.typeName.startsWith('publicapi.') ? rulesOfMessage(field.message) : undefined;
  const each = inner && (inner.exactlyOne || Object.keys(inner.fields).length > 0) ? { each: inner } : {};
  return {
    ...Object.fromEntries(own.map(([name, value]) => [RULE_NAMES[name] ?? name, typeof value === 'bigint' ? Number(value) : value])),
    ...each,
  };
}

/** Rules of messages, including those in progress, because a message can contain itself. */
const madeRules = new Map<DescMessage, Rules>();

function rulesOfMessage(message: DescMessage): Rules {
  const made = madeRules.get(message);
  if (made) return made;
  const toWireName = (name: string) => message.fields.find((field) => field.name === name)?.jsonName ?? '';
  const { oneof, celExpression } = getOption(message, messageRules);
  const [choice] = oneof;
  const [presence] = celExpression;
  const fields: Record<string, Rule> = {};
  const rules: Rules = {
    ...(choice && { exactlyOne: choice.fields.map(toWireName) }),
    ...(presence && { atLeastOne: presence.split(' || ').map((has) => toWireName(has.slice('has(this.'.length, -1))) }),
    fields,
  };
  madeRules.set(message, rules);
  for (const field of message.fields) {
    const rule = rulesOfField(field);
    if (Object.keys(rule).length > 0) fields[field.jsonName] = rule;
  }
  return rules;
}

describe('contract registry', () => {
  it.each(endpoints.map(({ name, method }) => [name, method] as const))(
    'contains the same rules for %s as protovalidate',
    (name, method) => {
      const operation = operations.find((candidate) => candidate.name === name);
      expect(operation?.rules).toEqual(rulesOfMessage(method.input));
    },
  );

  it('retains a bound of 0', () => {
    expect(messages.QuoteLineInput.fields.quantity.gt).toBe(0);
    expect(messages.AdjustInventoryRequest.fields.quantityDelta.not).toBe(0);
  });

  it('references nested messages', () => {
    expect(messages.CreateQuoteRequest.fields.lineItems.message).toBe(messages.QuoteLineInput);
    expect(messages.UpdateQuoteRequest.fields.lineItems.message).toBe(messages.QuoteLineInput);
    expect(messages.QuoteRecord.fields.lineItems.message).toBe(records.QuoteLineRecord);
  });

  it('contains the fields of every request and record by their JSON names', () => {
    const known = messages as unknown as Readonly<Record<string, MessageFields>>;
    const files = [...new Set(endpoints.flatMap(({ method }) => [method.input.file, method.output.file]))];
    const described = [
      ...endpoints.map(({ method }) => method.input),
      ...files.flatMap((file) => file.messages).filter(({ name }) => name.endsWith('Record')),
    ];
    for (const { name, fields } of described) {
      expect([name, Object.keys(known[name]?.fields ?? {})]).toEqual([name, fields.map(({ jsonName }) => jsonName)]);
    }
    expect(described.length).toBeGreaterThan(110);
  });

  it('specifies the record type of each response field', () => {
    expect(operations.find(({ name }) => name === 'Quote/ConfirmQuote')?.answers).toEqual({
      quote: { record: 'QuoteRecord' },
      order: { record: 'OrderRecord' },
    });
    expect(operations.find(({ name }) => name === 'Quote/ListQuotes')?.answers).toEqual({ quotes: { record: 'QuoteRecord', list: true } });
    for (const { answers: returned } of operations)
      for (const { record } of Object.values(returned)) expect(records).toHaveProperty(record);
  });
});

/** Every field of the registry, by `Message.field`. */
const fields: readonly (readonly [name: string, field: MessageField])[] = Object.values(
  messages as unknown as Readonly<Record<string, MessageFields>>,
)
  .filter(({ name }) => typeof name === 'string')
  .flatMap((message) => Object.entries(message.fields).map(([name, field]) => [`${message.name}.${name}`, field] as const));

describe('registry field', () => {
  it('has `required` if its default breaks its own rule', () => {
    const { customerId, title, lineItems, discounts } = messages.CreateQuoteRequest.fields;
    expect([customerId, title, lineItems, discounts].map((field) => 'required' in field)).toEqual([true, false, true, false]);
    expect(messages.AdjustInventoryRequest.fields.productId.required).toBe(true);
    // The field has presence, so zero is distinct from absent, and the message's own rule requires one of the two fields.
    expect(messages.AdjustInventoryRequest.fields.quantityDelta).not.toHaveProperty('required');
    expect(messages.GetInventoryReceiptRequest.fields.receiptId).not.toHaveProperty('required');
  });

  it('has `required` if its own rule says so, for messages that can be empty and for enums', () => {
    expect(messages.UpdateRoleRequest.fields.access.required).toBe(true);
    expect(messages.CreateRoleRequest.fields.access).not.toHaveProperty('required');
    expect(messages.DirectoryAccessGrant.fields.level.required).toBe(true);
    expect(messages.DirectoryAccessGrant.fields.delegateUpTo).not.toHaveProperty('required');
  });

  it.each([
    ['QuoteRecord.createdAt', 'MOMENT'],
    ['CreateCustomerRequest.expectedCloseDate', 'MOMENT'],
    ['QuoteRecord.totalOnceMinor', 'MINOR'],
    ['ProductRecord.priceOnce', 'MINOR'],
    ['CreateContactRequest.phoneCountry', 'COUNTRY'],
    ['CreateQuoteRequest.pricingCountry', 'COUNTRY'],
    ['WorkspaceRecord.countryCode', 'COUNTRY'],
    ['QuoteRecord.currency', 'CURRENCY'],
    ['UpdateQuoteRequest.expectedVersion', 'VERSION'],
    ['QuoteRecord.title', undefined],
  ])('%s has the unit %s', (name, unit) => {
    expect(new Map(fields).get(name)?.unit).toBe(unit);
  });

  it.each([
    ['CreateQuoteRequest.customerId', 'Customer'],
    ['MoveInventoryLineInput.sourceLocationId', 'InventoryLocation'],
    ['UpdateQuoteRequest.id', 'Quote'],
    ['GetCustomerRequest.id', 'Customer'],
    ['QuoteRecord.id', 'Quote'],
    ['CreateCustomerCommentRequest.attachments', 'CustomerFile'],
    ['CustomerTimelineEventRecord.entityId', undefined],
    ['CancelOrderRequest.refundRequestId', undefined],
  ])('%s refers to %s', (name, type) => {
    expect(new Map(fields).get(name)?.refers).toBe(type);
  });

  it('refers to a type of the graph, whose record declares the ID', () => {
    const types = new Set(fields.flatMap(([, { refers }]) => refers ?? []));
    expect(types.size).toBeGreaterThan(15);
    const entities = new Map(Object.values(records).flatMap(({ entity, name }) => (entity ? [[entity, name] as const] : [])));
    for (const type of types) {
      const representation = graph.getType(type);
      expect([type, isObjectType(representation) && representation.extensions.record]).toEqual([type, entities.get(type)]);
    }
  });
});

/** Rules of requests that the upstream documents. Check the upstream's documentation before changing this list. */
const STATED: Readonly<Record<string, readonly string[]>> = {
  AddInventoryReceiptLineRequest: ['quantity gt', 'notes maxLength', 'idempotencyKey pattern', 'idempotencyKey maxLength'],
  AdjustInventoryRequest: [
    'exactlyOne',
    'productId uuid',
    'locationId uuid',
    'reason pattern',
    'reason maxLength',
    'quantityDelta not',
    'targetAvailable gte',
  ],
  AnalyticsAggregate: ['measures maxItems', 'dimensions maxItems'],
  AnalyticsFilter: ['exactlyOne'],
  AnalyticsProjection: ['fields maxItems'],
  AnalyticsQuery: ['exactlyOne', 'version gte', 'limit lte'],
  AnalyticsRelativeRange: ['offset gte', 'offset lte'],
  AnalyticsSort: ['column minLength'],
  AnalyticsTimeRange: ['exactlyOne'],
  BackorderLineInput: ['quantity gt'],
  CreateCustomerRequest: ['phoneCountry pattern'],
  CreateInventoryBackorderRequest: ['expectedArrivalAt gt'],
  CreateInventoryReceiptRequest: ['reference maxLength', 'notes maxLength', 'idempotencyKey pattern', 'idempotencyKey maxLength'],
  CreateOrderReservationRequest: ['quantity gt'],
  CreatePortfolioRequest: ['phoneCountry pattern'],
  CreateProductRequest: ['currency pattern'],
  CreateWorkOrderRequest: ['customerId minLength', 'title maxLength', 'description maxLength', 'tasks maxItems'],
  CreateWorkOrderTaskInput: ['body minLength', 'body maxLength'],
  CreateRoleRequest: ['name pattern', 'name maxLength', 'description maxLength'],
  ExecuteSQLRequest: ['sql maxBytes'],
  GetInventoryReceiptRequest: ['exactlyOne', 'idempotencyKey pattern', 'idempotencyKey maxLength', 'page lte', 'pageSize lte'],
  InventoryTransferLineInput: ['quantity gt'],
  ListInventoryBackordersRequest: ['status in', 'pageSize lte'],
  MoveInventoryLineInput: ['quantity gt'],
  MoveInventoryRequest: [
    'lines minItems',
    'lines maxItems',
    'reference maxLength',
    'notes maxLength',
    'idempotencyKey pattern',
    'idempotencyKey maxLength',
  ],
  ReturnInventoryRequest: ['quantity gt', 'reason pattern'],
  UpdateInventoryBackorderEtaRequest: ['expectedArrivalAt gt'],
  UpdateRoleRequest: ['name pattern', 'name maxLength', 'description maxLength'],
  UpdateTeamRequest: ['atLeastOne', 'name pattern', 'name maxLength', 'description minLength', 'description maxLength', 'color pattern'],
};

describe('sensitive response fields', () => {
  it('match the list by operation', () => {
    const sensitive = operations.filter((operation) => operation.sensitive).map(({ name, sensitive: paths }) => [name, paths]);
    expect(Object.fromEntries(sensitive)).toEqual({
      'ActionRequest/ResendActionRequestNotification': ['portalUrl'],
      'Customer/CreateCustomerDocumentUpload': ['upload.url', 'upload.headers'],
      'Customer/CreateCustomerPhotoUpload': ['upload.url', 'upload.headers'],
      'Customer/GetCustomerFileDownloadLink': ['url'],
      'Invitation/CreateInviteLink': ['link.url'],
    });
  });

  it('have the secret tag wherever the graph exposes their record', () => {
    const exposed = Object.values(records).flatMap(({ name, fields: own }) =>
      Object.entries(own).flatMap(([field, { sensitive }]) => (sensitive ? [[name, field] as const] : [])),
    );
    expect(exposed.length).toBeGreaterThan(1);
    for (const [record, field] of exposed) {
      const type = Object.values(graph.getTypeMap()).find(({ extensions }) => extensions.record === record);
      const tags = isObjectType(type) ? getDeclaredTags(type.getFields()[field] as never) : [];
      expect([record, field, tags]).toEqual([record, field, expect.arrayContaining(['secret'])]);
    }
  });
});

describe('provenance in the contract', () => {
  it('marks few rules as documented', () => {
    const all = Object.values(messages as unknown as Readonly<Record<string, MessageFields>>).filter(
      ({ name }) => typeof name === 'string',
    );
    const stated = all.map(({ name, combinationStated, atLeastOne, fields: own }) => [
      name,
      [
        ...(combinationStated ? [atLeastOne ? 'atLeastOne' : 'exactlyOne'] : []),
        ...Object.entries(own).flatMap(([field, rules]) => rules.stated?.map((rule) => `${field} ${rule}`) ?? []),
      ],
    ]);
    expect(Object.fromEntries(stated.filter(([, rules]) => rules?.length))).toEqual(STATED);
  });

  it.each([
    ['the service in a path', 'service names in paths', 'Inventory', 'Quote'],
    ['the operation in a path', 'operation names in paths', 'Quote/CreateQuote', 'Customer/ListCustomerFiles'],
    ['a word of an enum', 'enum values', 'PUBLIC_PRICE_TYPE_MONTHLY', 'PUBLIC_PRICE_TYPE_YEARLY'],
    ['a field of a request', 'request fields', 'quantityDelta', 'attachments'],
    ['a rule', 'request field rules', 'quantityDelta not 0', 'title maxLength 200'],
    ['the greatest page', 'maximum page sizes', 'Catalog/ListDiscounts', 'Quote/ListQuotes'],
    ['a status', 'HTTP statuses', '429', '409'],
  ])('specifies for %s whether it’s documented', (_case, kind, stated, assumed) => {
    const find = (what: string) => listClaims().find((claim) => claim.kind === kind && claim.what === what)?.isStated;
    expect([find(stated), find(assumed)]).toEqual([true, false]);
  });

  it('lists the sandbox’s error codes for each status', spec('7.8', '7.40'), () => {
    const listed = readStatuses().flatMap(({ status, codes }) => codes.map((code) => [code, status]));
    for (const [code, status] of listed.filter(([code]) => code !== 'deadline_exceeded')) {
      expect([code, new SandboxError(code as SandboxCode, '').status]).toEqual([code, status]);
    }
  });
});
