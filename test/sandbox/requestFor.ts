import { type DescField, type DescMessage, type JsonObject, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import { createUuid } from '../../sandbox/kernel/random.ts';
import type { Endpoint } from '../../sandbox/kernel/service.ts';
import type { World } from '../../sandbox/kernel/world.ts';
import type { MessageFields } from '../../src/upstream/contract/fields.ts';
import { operations } from '../../src/upstream/contract/generated/operations.ts';
import { PublicActionRequestStatus } from '../../src/upstream/contract/generated/publicapi/v1/action_requests_pb.ts';
import { PublicAgendaStrategy } from '../../src/upstream/contract/generated/publicapi/v1/agendas_pb.ts';
import { PublicAppointmentStatus } from '../../src/upstream/contract/generated/publicapi/v1/appointments_pb.ts';
import { PublicMemberInvitationStatus } from '../../src/upstream/contract/generated/publicapi/v1/invitations_pb.ts';
import { PublicOrderStatus } from '../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { PublicPaymentProvider } from '../../src/upstream/contract/generated/publicapi/v1/payments_pb.ts';
import { PublicQuoteStatus } from '../../src/upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import { PublicInventoryReceiptStatus } from '../../src/upstream/contract/generated/publicapi/v1/receipts_pb.ts';
import { PublicReservationStatus } from '../../src/upstream/contract/generated/publicapi/v1/reservations_pb.ts';
import { PublicRoleKind } from '../../src/upstream/contract/generated/publicapi/v1/roles_pb.ts';
import { PublicInventoryTransferStatus } from '../../src/upstream/contract/generated/publicapi/v1/transfers_pb.ts';
import { PublicWorkOrderTemplateStatus } from '../../src/upstream/contract/generated/publicapi/v1/work_order_templates_pb.ts';
import { PublicWorkOrderStatus } from '../../src/upstream/contract/generated/publicapi/v1/work_orders_pb.ts';
import type { Rules } from '../../src/upstream/contract/operation.ts';
import { EXAMPLES } from '../support/examples.ts';

const OPEN_ORDER = `orders.workspace_id = :workspaceId AND orders.status = ${PublicOrderStatus.OPEN} AND orders.version = 1`;

/** An open work order without open tasks. */
const DONE_WORK_ORDER = `work_orders WHERE workspace_id = :workspaceId AND status = ${PublicWorkOrderStatus.OPEN}
  AND id IN (SELECT work_order_id FROM work_order_tasks GROUP BY work_order_id HAVING min(is_completed) = 1)`;

/** An agenda where the caller chooses the member. */
const AGENDA = `agendas WHERE agendas.workspace_id = :workspaceId AND strategy = ${PublicAgendaStrategy.CHOOSE_USER}`;

/** Queries for records that operations can work with, for types whose demo example doesn't suit all operations. */
const RECORDS: Readonly<Record<string, string>> = {
  actionRequest: `action_requests WHERE workspace_id = :workspaceId AND status = ${PublicActionRequestStatus.PENDING}`,
  agenda: AGENDA,
  appointment: `appointments WHERE workspace_id = :workspaceId AND status = ${PublicAppointmentStatus.SCHEDULED} AND agenda_id IN (SELECT id FROM ${AGENDA})`,
  appointmentType: `appointment_types JOIN agendas ON appointment_type_ids LIKE '%' || appointment_types.id || '%' WHERE agendas.id IN (SELECT id FROM ${AGENDA})`,
  resultCode: `appointment_result_codes JOIN appointments USING (appointment_type_id) WHERE is_active = 1 AND agenda_id IN (SELECT id FROM ${AGENDA})`,
  customer: "customers WHERE workspace_id = :workspaceId AND contact_id = ''",
  portfolio: "customers WHERE workspace_id = :workspaceId AND contact_id <> ''",
  status: 'journey_statuses WHERE workspace_id = :workspaceId',
  comment: 'customer_comments WHERE workspace_id = :workspaceId',
  file: 'customer_files WHERE workspace_id = :workspaceId',
  upload: 'customer_uploads WHERE workspace_id = :workspaceId',
  product: 'products JOIN inventory_balances ON product_id = products.id WHERE products.workspace_id = :workspaceId AND on_hand > 50',
  quote: `quotes WHERE workspace_id = :workspaceId AND status = ${PublicQuoteStatus.CONCEPT} AND version = 1`,
  order: `orders WHERE ${OPEN_ORDER}`,
  orderLine: `order_lines JOIN orders ON orders.id = order_id WHERE ${OPEN_ORDER}`,
  payment: `booked_payments WHERE workspace_id = :workspaceId AND provider = ${PublicPaymentProvider.MANUAL} AND refundable_minor > 100`,
  integration: 'accounting_connections WHERE workspace_id = :workspaceId AND sends = 1',
  reservation: `order_reservations WHERE workspace_id = :workspaceId AND status = ${PublicReservationStatus.ACTIVE}`,
  receipt: `inventory_receipts WHERE workspace_id = :workspaceId AND status = ${PublicInventoryReceiptStatus.DRAFT}`,
  backorder: "inventory_backorders WHERE workspace_id = :workspaceId AND status = 'open'",
  transfer: `inventory_transfers WHERE workspace_id = :workspaceId AND status = ${PublicInventoryTransferStatus.IN_TRANSIT}`,
  identifier: 'product_identifiers WHERE workspace_id = :workspaceId',
  member: 'members WHERE workspace_id = :workspaceId AND id NOT IN (SELECT member_id FROM api_keys)',
  role: `roles WHERE workspace_id = :workspaceId AND kind = ${PublicRoleKind.CUSTOM}
    AND id NOT IN (SELECT role_id FROM member_roles JOIN api_keys USING (member_id))`,
  problem: 'problems WHERE workspace_id = :workspaceId AND status = 1 AND id NOT IN (SELECT problem_id FROM advanced_tasks)',
  advancedTask: 'advanced_tasks WHERE workspace_id = :workspaceId',
  workOrder: DONE_WORK_ORDER,
  workOrderTemplate: `work_order_templates WHERE workspace_id = :workspaceId AND status = ${PublicWorkOrderTemplateStatus.ACTIVE}`,
  task: `work_order_tasks WHERE work_order_id = (SELECT id FROM ${DONE_WORK_ORDER} ORDER BY id LIMIT 1)`,
  locationDataField: "data_fields WHERE workspace_id = :workspaceId AND name = 'site_address'",
  preferredLocationDataField: "data_fields WHERE workspace_id = :workspaceId AND name = 'site_address'",
  invitation: `invitations WHERE workspace_id = :workspaceId AND status = ${PublicMemberInvitationStatus.PENDING}`,
};

const TEXTS: Readonly<Record<string, string>> = {
  phone: '+31205550123',
  contentType: 'image/png',
  fileName: 'photo.png',
  email: 'new@example.com',
};

/** Generates requests with a plausible value in every field, from the contract and the records of the world. */
class Requests {
  readonly #world: World;
  /** Type of the record that the request's `id` refers to. */
  readonly #subject: string | undefined;
  readonly #workspaceId: string;

  constructor(world: World, subject: string | undefined) {
    this.#world = world;
    this.#subject = subject;
    this.#workspaceId = createUuid(world.seed, 'demo workspace');
  }

  /** A message that can contain itself, such as a filter, does so once. */
  createObject(message: DescMessage, rules: Rules | undefined, around: readonly DescMessage[] = []): JsonObject {
    const exclusive = new Set(rules?.exactlyOne?.slice(1));
    const within = [...around, message];
    const given = message.fields.filter(({ jsonName, message: inner }) => !exclusive.has(jsonName) && !(inner && within.includes(inner)));
    return Object.fromEntries(given.map((field) => [field.jsonName, this.#valueFor(field, rules, within)]));
  }

  #valueFor(field: DescField, rules: Rules | undefined, within: readonly DescMessage[]): JsonValue {
    if (field.fieldKind === 'map') return { Notes: 'x' };
    const value = this.#single(field, rules, within);
    return field.fieldKind === 'list' ? [value] : value;
  }

  #single(field: DescField, rules: Rules | undefined, within: readonly DescMessage[]): JsonValue {
    if (field.message?.typeName === 'google.protobuf.Value') return 'x';
    if (field.message) return this.createObject(field.message, rules?.fields[field.jsonName]?.each, within);
    if (field.enum) return field.enum.values[1]?.number ?? 0;
    if (field.scalar === ScalarType.BOOL) return true;
    if (field.scalar === ScalarType.STRING) return this.#text(field.jsonName, rules);
    return /(At|Date|Before)$/.test(field.jsonName) ? String(this.#world.now() + 86_400) : 1;
  }

  #text(jsonName: string, rules: Rules | undefined): string {
    if (jsonName === 'destinationLocationId') return createUuid(this.#world.seed, 'demo location 1');
    if (jsonName.toLowerCase().endsWith('locationid')) return createUuid(this.#world.seed, 'demo location 0');
    const kind = jsonName === 'attachments' ? 'file' : jsonName === 'id' ? this.#subject : /^(\w+)Ids?$/.exec(jsonName)?.[1];
    const record = kind && this.#find(kind.charAt(0).toLowerCase() + kind.slice(1));
    if (record) return record;
    const rule = rules?.fields[jsonName];
    if (jsonName === 'date') return '2026-06-01';
    if (rule?.pattern?.includes('{2}')) return 'NL';
    if (rule?.pattern?.includes('{3}')) return 'EUR';
    if (rule?.pattern?.includes('{6}')) return '#1A2B3C';
    return TEXTS[jsonName] ?? rule?.in?.[0] ?? '5';
  }

  #find(kind: string): string | undefined {
    const source = RECORDS[kind];
    if (!source) {
      const [example] = EXAMPLES[kind.charAt(0).toUpperCase() + kind.slice(1)] ?? [];
      return example && createUuid(this.#world.seed, `demo ${example}`);
    }
    const table = source.slice(0, source.indexOf(' '));
    const order = kind === 'orderLine' ? 'orders.id' : `${table}.id`;
    const sql = `SELECT ${table}.id AS id FROM ${source} ORDER BY ${order} LIMIT 1`;
    return this.#world.store.get<{ id: string }>(sql, { workspaceId: this.#workspaceId })?.id;
  }
}

/** A request that the operation can usually execute, as far as the contract and the demo workspace determine it. */
export function createRequestFor(world: World, { name, method }: Endpoint): JsonObject {
  const operation = operations.find((candidate) => candidate.name === name);
  const fields: MessageFields['fields'] | undefined = operation?.request.fields;
  return new Requests(world, fields?.id?.refers).createObject(method.input, operation?.rules);
}
