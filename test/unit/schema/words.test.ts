import { describe, expect, it } from 'vitest';
import { toPlural, toWords } from '../../../src/lib/words.ts';
import { getGraph } from '../../support/getGraph.ts';

const { schema } = getGraph();

describe('toWords', () => {
  it.each([
    ['workOrders', 'work orders'],
    ['Order', 'order'],
    ['ProForma', 'pro-forma document'],
  ])('converts %s to "%s"', (name, words) => {
    expect(toWords(name)).toBe(words);
  });
});

describe('toPlural', () => {
  it.each([
    ['discount', 'discounts'],
    ['category', 'categories'],
    ['survey', 'surveys'],
    ['address', 'addresses'],
    ['branch', 'branches'],
    ['order stock demand', 'order stock demand records'],
  ])('converts "%s" to "%s"', (noun, plural) => {
    expect(toPlural(noun)).toBe(plural);
  });
});

describe('generated descriptions', () => {
  it.each([
    ['AccountingIntegrationConnection', 'A paginated list of accounting integrations.'],
    ['AppointmentSearchConnection', 'A paginated list of appointments.'],
    ['OrderStockDemandConnection', 'A paginated list of order stock demand records.'],
    ['ProFormaConnection', 'A paginated list of pro-forma documents.'],
    ['OrderEdge', 'An edge in an order connection.'],
    ['ProFormaEdge', 'An edge in a pro-forma document connection.'],
    ['QuoteFilterInput', 'Filters for quotes. Conditions are combined with AND.'],
  ])('describes %s as "%s"', (name, description) => {
    expect(schema.getType(name)?.description).toBe(description);
  });
});
