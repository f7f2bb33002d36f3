import { PublicPriceType } from '../../src/upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import { PublicQuoteStatus } from '../../src/upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import { countryPriceOf, productOf } from '../catalog/catalog.ts';
import { kindOf } from '../catalog/catalogDemo.ts';
import { discountOf } from '../catalog/discounts.ts';
import { STOCKED_ORDERS } from '../inventory/reservationsDemo.ts';
import type { Plan } from '../kernel/plan.ts';
import { writeTimeline } from '../kernel/timeline.ts';
import { type PricedLine, priceLine, priceQuote } from './pricing.ts';
import { closeQuote, quoteEvent, writeConcept } from './quotes.ts';

/** How many quotes `customer 0` has, so that there are pages to turn. */
const QUOTES_OF_THE_FIRST = 130;

/** Quotes for each customer or portfolio, on average. */
const QUOTES_EACH = 1.2;

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;

/** The demo quotes are made between these, in days before now. */
const FIRST_DAY = 600;
const LAST_DAY = 4;

/** A quote that is to be confirmed. */
export interface ConfirmedQuote {
  readonly id: string;
  /** Unix seconds. */
  readonly at: number;
}

/** Whose quotes there are, oldest first: those of `customer 0` lie between those of the others. */
function customersOf(plan: Plan): string[] {
  const { customers, portfolios } = plan.sizes;
  const first = plan.id('customer 0');
  const owners = Array<string>(STOCKED_ORDERS).fill(first);
  let ofFirst = QUOTES_OF_THE_FIRST - STOCKED_ORDERS;
  for (let left = ofFirst + Math.round((customers + portfolios) * QUOTES_EACH); left > 0; left -= 1) {
    if (plan.random.integer(1, left) <= ofFirst) {
      ofFirst -= 1;
      owners.push(first);
    } else {
      const index = plan.random.integer(1, customers + portfolios - 1);
      owners.push(plan.id(index < customers ? `customer ${index}` : `portfolio ${index - customers}`));
    }
  }
  return owners;
}

function productIndex({ random, sizes }: Plan, onlyStocked: boolean): number {
  for (;;) {
    const index = random.integer(0, sizes.products - 1);
    const kind = kindOf(index);
    if (kind === 'stocked' || (!onlyStocked && kind !== 'inactive')) return index;
  }
}

function linesOf(plan: Plan, { country, onlyStocked }: { country: string; onlyStocked: boolean }): PricedLine[] {
  const { random, store } = plan;
  return Array.from({ length: random.integer(1, 3) }, () => {
    const product = productOf(plan, plan.id(`product ${productIndex(plan, onlyStocked)}`));
    const isMonthly = !onlyStocked && product.price_monthly !== null && random.chance(0.5);
    const priceType = isMonthly ? PublicPriceType.MONTHLY : PublicPriceType.ONCE;
    return priceLine(product, countryPriceOf(store, product.id, country), { quantity: random.integer(2, 6), priceType });
  });
}

/** The discounts 0 and 1 apply to every one-off price. */
function discountsOf(plan: Plan, lines: readonly PricedLine[]) {
  if (!lines.some(({ priceType }) => priceType === PublicPriceType.ONCE) || plan.random.chance(0.7)) return [];
  return [discountOf(plan, plan.id(`discount ${plan.random.integer(0, 1)}`))];
}

/** A customer's quotes take turns, and each customer starts one further: so all states occur, whether it has many quotes or one. */
const STATES = [PublicQuoteStatus.CONFIRMED, PublicQuoteStatus.CONCEPT, PublicQuoteStatus.DISCARDED, PublicQuoteStatus.CONCEPT] as const;

function seedConcept(plan: Plan, customerId: string, { index, at }: { index: number; at: number }) {
  const { world, workspaceId } = plan;
  const id = plan.id(`quote ${index}`);
  const country = plan.random.pick(['NL', 'NL', 'BE', 'DE'] as const);
  const lines = linesOf(plan, { country, onlyStocked: index < STOCKED_ORDERS });
  const title = `${lines[0]?.productName} and ${lines.length - 1} more`;
  const pricing = priceQuote(lines, discountsOf(plan, lines), country);
  const reference = writeConcept(world, { id, workspaceId, customerId, title, country, at }, pricing);
  writeTimeline(world, workspaceId, customerId, { ...quoteEvent({ id, reference }, 'created'), occurredAt: at });
  return { id, reference };
}

/**
 * Makes the quotes named `quote 0`, `quote 1`, …, oldest first, after customers and discounts. Answers the ones to confirm, in the order
 * in which that happens.
 */
export function seedQuotes(plan: Plan): ConfirmedQuote[] {
  const { world, workspaceId, random } = plan;
  const owners = customersOf(plan);
  const step = Math.floor(((FIRST_DAY - LAST_DAY) * DAY_SECONDS) / owners.length);
  const turns = new Map<string, number>();
  const confirmed: ConfirmedQuote[] = [];
  for (const [index, customerId] of owners.entries()) {
    const at = plan.now - FIRST_DAY * DAY_SECONDS + index * step;
    const quote = seedConcept(plan, customerId, { index, at });
    const turn = turns.get(customerId) ?? turns.size;
    turns.set(customerId, turn + 1);
    const onlyStocked = index < STOCKED_ORDERS;
    const status = onlyStocked ? PublicQuoteStatus.CONFIRMED : STATES[turn % STATES.length];
    // The stocked ones are confirmed at once, before the next quote is made: so they stay the first orders.
    const end = at + (onlyStocked ? 60 : random.integer(HOUR_SECONDS, (LAST_DAY - 1) * DAY_SECONDS));
    if (status === PublicQuoteStatus.CONFIRMED) confirmed.push({ id: quote.id, at: end });
    if (status === PublicQuoteStatus.DISCARDED) {
      closeQuote(world, quote.id, { status, at: end });
      writeTimeline(world, workspaceId, customerId, { ...quoteEvent(quote, 'discarded'), occurredAt: end });
    }
  }
  return confirmed.sort((one, other) => one.at - other.at);
}
