import { getNamedType, isObjectType, isRequiredArgument } from 'graphql';
import { getEntityByName } from '../../src/schema/kit/registry.ts';
import type { TestSandbox } from '../sandbox/sandbox.ts';
import { demoId } from '../sandbox/sandbox.ts';
import { getGraph } from './getGraph.ts';

const { schema: graph } = getGraph();

/** Types that the query below selects. All others are parts of one of these, or have their own list. */
const SELECTED_TYPES = new Set(buildQuery((type) => `<${type}>`).match(/(?<=<)\w+(?=>)/g));

/** Fields that lead to parts of this type's records, once per type of part. */
function findParts(type: string, found: Set<string>): { readonly field: string; readonly part: string; readonly isPaged: boolean }[] {
  const object = graph.getType(type);
  if (!isObjectType(object)) return [];
  return Object.values(object.getFields()).flatMap(({ name: field, type: fieldType, args }) => {
    const connection = getNamedType(fieldType);
    const nodes = isObjectType(connection) ? connection.getFields().nodes : undefined;
    const part = nodes ? getNamedType(nodes.type) : connection;
    const isPart = isObjectType(part) && 'record' in part.extensions && !getEntityByName(part.name) && !args.some(isRequiredArgument);
    if (!isPart || SELECTED_TYPES.has(part.name) || found.has(part.name)) return [];
    found.add(part.name);
    return [{ field, part: part.name, isPaged: nodes !== undefined }];
  });
}

/** A query that returns a record of every type. `of` returns the selection for a type. */
export function buildRecordsQuery(of: (type: string) => string): string {
  const found = new Set<string>();
  const selectWithParts = (type: string): string => {
    const parts = findParts(type, found).map(({ field, part, isPaged }) =>
      isPaged ? `${field}(first: 2) { nodes { ${selectWithParts(part)} } }` : `${field} { ${selectWithParts(part)} }`,
    );
    return [of(type), ...parts].join(' ');
  };
  return buildQuery(
    selectWithParts,
    rootLists.map(({ field, type }) => `${field}(first: 2) { nodes { ${selectWithParts(type)} } }`).join(' '),
  );
}

/** Lists of the workspace: one for each entity that the query below doesn't select. */
const rootLists = [
  ...new Map(
    Object.values(graph.getQueryType()?.getFields() ?? {}).flatMap(({ name: field, type: connection, args }) => {
      const target = getNamedType(connection);
      const nodes = isObjectType(target) ? target.getFields().nodes : undefined;
      const type = nodes && getNamedType(nodes.type).name;
      // The index has only a part of each record.
      if (!type || !getEntityByName(type) || SELECTED_TYPES.has(type) || args.some(isRequiredArgument) || field.endsWith('Search'))
        return [];
      return [[type, { field, type }] as const];
    }),
  ).values(),
];

/** Selects the records that need arguments, and those where only some have what the query needs. */
function buildQuery(of: (type: string) => string, more = ''): string {
  const values = ['once', 'monthly', 'yearly'].map((name) => `${name} { ${of('DiscountValue')} }`).join(' ');
  return `query ($customer: ID!, $portfolio: ID!, $product: ID!, $location: ID!, $receipt: ID!, $quote: ID!, $order: ID!, $payingCustomer: ID!, $refunded: ID!, $role: ID!, $problem: ID!, $agenda: ID!, $appointmentType: ID!, $day: Date!, $appointment: ID!) {
    viewer { ${of('Viewer')} workspace { ${of('Workspace')} } apiKey { ${of('ApiKey')} } }
    companyProfile { ${of('CompanyProfile')} }
    journey { ${of('Journey')} stages { ${of('JourneyStage')} statuses { ${of('JourneyStatus')} } } }
    customFieldDefinitions { ${of('CustomFieldDefinition')} }
    discounts(first: 5) {
      nodes {
        ${of('Discount')} ${values}
        countryPrices { ${of('DiscountCountryPrice')} ${values} }
        productDiscounts { ${of('ProductDiscount')} value { ${of('DiscountValue')} } }
      }
    }
    product(id: $product) {
      ${of('Product')}
      countryPrices { ${of('CountryPrice')} }
      identifiers { ${of('ProductIdentifier')} }
      inventoryMovements(first: 2) { nodes { ${of('InventoryMovement')} } }
    }
    customer(id: $customer) {
      ${of('Customer')}
    }
    portfolio(id: $portfolio) { ${of('Portfolio')} contact { ${of('Contact')} } }
    quote(id: $quote) { ${of('Quote')} }
    order(id: $order) {
      ${of('Order')}
      lines { ${of('OrderLine')} }
      cancellationImpact { ${of('OrderCancellationImpact')} }
      inventorySummary { ${of('OrderInventorySummary')} }
      reservations { nodes { ${of('OrderReservation')} } }
      stockDemand { nodes { ${of('OrderStockDemand')} } }
    }
    payingCustomer: customer(id: $payingCustomer) {
      ${of('Customer')}
      payments(first: 2) { nodes { ${of('Payment')} } }
      invoices(first: 2) { nodes { ${of('Invoice')} } }
      proFormas(first: 2) { nodes { ${of('ProForma')} } }
      accountingIntegrations { nodes { ${of('AccountingIntegration')} } }
    }
    refunded: order(id: $refunded) { ${of('Order')} refunds(first: 1) { nodes { ${of('Refund')} } } }
    inventoryLocation(id: $location) { ${of('InventoryLocation')} inventoryBalances(first: 2) { nodes { ${of('InventoryBalance')} } } }
    inventoryReceipt(by: { id: $receipt }) { ${of('InventoryReceipt')} lines(first: 2) { nodes { ${of('InventoryReceiptLine')} } } }
    inventoryBackorders(first: 2) { nodes { ${of('InventoryBackorder')} lines { ${of('InventoryBackorderLine')} } } }
    problem(id: $problem) { ${of('Problem')} }
    role(id: $role) { ${of('Role')} }
    workOrders(first: 3) { nodes { ${of('WorkOrder')} location { ${of('WorkOrderLocation')} } } }
    workOrderTemplates(first: 5) { nodes { ${of('WorkOrderTemplate')} } }
    workOrderLocationFields { ${of('WorkOrderLocationField')} }
    memberInvitations(first: 2) { nodes { ${of('MemberInvitation')} } }
    appointmentTypes { ${of('AppointmentType')} }
    agenda(id: $agenda) {
      ${of('Agenda')}
      availableSlots(day: $day, appointmentTypeId: $appointmentType) { ${of('AppointmentSlot')} }
    }
    appointment(id: $appointment) { ${of('Appointment')} }
    analyticsCatalog {
      entities { ${of('AnalyticsCatalogEntity')} }
      limits { ${of('AnalyticsLimits')} }
      sqlSupport { ${of('AnalyticsSqlSupport')} }
    }
    analyticsQuery(query: {
      entity: ORDERS
      timeRange: { field: "created_at", range: { relative: { period: LAST_12_MONTHS } } }
      select: { aggregate: { measures: [{ sum: { field: "total_once" } }, { count: {} }], dimensions: [{ field: "currency" }] } }
    }) { ... on AnalyticsResult { ${of('AnalyticsResult')} rows { ${of('AnalyticsRow')} cells { ${of('AnalyticsCell')} } } } }
    inventoryTransfers(first: 2) { nodes { ${of('InventoryTransfer')} lines { ${of('InventoryTransferLine')} } } }
    ${more}
  }`;
}

/** Variables of the query: IDs of demo records that lead to all others. */
export function createRecordsQueryVariables({ world }: Pick<TestSandbox, 'world'>): Record<string, string | undefined> {
  const findId = (sql: string) => world.store.get<{ id: string }>(sql, { workspaceId: demoId('workspace') })?.id;
  return {
    customer: demoId('customer 0'),
    portfolio: demoId('portfolio 0'),
    product: findId(
      'SELECT products.id AS id FROM products JOIN product_identifiers ON product_id = products.id WHERE products.workspace_id = :workspaceId',
    ),
    location: demoId('location 0'),
    receipt: demoId('receipt 0'),
    quote: findId(
      'SELECT id FROM quotes WHERE workspace_id = :workspaceId AND id IN (SELECT quote_id FROM quote_discounts) ORDER BY customer_id, created_at',
    ),
    order: findId('SELECT order_id AS id FROM order_reservations WHERE workspace_id = :workspaceId'),
    payingCustomer: findId(
      `SELECT customer_id AS id FROM payments WHERE workspace_id = :workspaceId
       AND customer_id IN (SELECT customer_id FROM invoices) AND customer_id IN (SELECT customer_id FROM pro_formas)`,
    ),
    agenda: demoId('agenda visits'),
    appointmentType: demoId('appointment type installation'),
    day: '2026-03-04',
    // An appointment with a result.
    appointment: demoId('appointment 0'),
    // A role with a grant in every area.
    role: demoId('role owner'),
    problem: demoId('problem 0'),
    refunded: findId('SELECT order_id AS id FROM refunds WHERE workspace_id = :workspaceId'),
  };
}

/** Iterates over the objects of a response whose `__typename` was selected. */
export function* findTypedObjects(value: unknown): Generator<Readonly<Record<string, unknown>> & { readonly __typename: string }> {
  if (typeof value !== 'object' || value === null) return;
  if ('__typename' in value) yield value as Readonly<Record<string, unknown>> & { readonly __typename: string };
  for (const member of Object.values(value)) yield* findTypedObjects(member);
}
