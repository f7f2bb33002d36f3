import { PublicPriceType } from '../../src/upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import { PublicQuoteStatus } from '../../src/upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import { findCountryPrice, getProduct } from '../catalog/catalog.ts';
import { getKind } from '../catalog/catalogDemo.ts';
import { getDiscount } from '../catalog/discounts.ts';
import { STOCKED_ORDERS } from '../inventory/reservationsDemo.ts';
import type { Plan } from '../kernel/plan.ts';
import { writeTimeline } from '../kernel/timeline.ts';
import { type PricedLine, priceLine, priceQuote } from './pricing.ts';
import { createQuoteEvent, insertDraft, setQuoteStatus } from './quotes.ts';

/** Number of quotes of `customer 0`: enough for several pages. */
const FIRST_CUSTOMER_QUOTES = 130;

/** Average number of quotes per customer or portfolio. */
const QUOTES_PER_CUSTOMER = 1.2;

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;

/** The demo quotes were created between these days before now. */
const FIRST_DAY = 600;
const LAST_DAY = 4;

/** A quote to confirm. */
export interface ConfirmedQuote {
  readonly id: string;
  /** Unix seconds. */
  readonly at: number;
}

/** Customers with quotes, in the order of the quotes, oldest first. The quotes of `customer 0` are spread among the others. */
function assignCustomers(plan: Plan): string[] {
  const { customers, portfolios } = plan.sizes;
  const first = plan.id('customer 0');
  const owners = Array<string>(STOCKED_ORDERS).fill(first);
  let ofFirst = FIRST_CUSTOMER_QUOTES - STOCKED_ORDERS;
  for (let left = ofFirst + Math.round((customers + portfolios) * QUOTES_PER_CUSTOMER); left > 0; left -= 1) {
    if (plan.random.nextInteger(1, left) <= ofFirst) {
      ofFirst -= 1;
      owners.push(first);
    } else {
      const index = plan.random.nextInteger(1, customers + portfolios - 1);
      owners.push(plan.id(index < customers ? `customer ${index}` : `portfolio ${index - customers}`));
    }
  }
  return owners;
}

function pickProductIndex({ random, sizes }: Plan, onlyStocked: boolean): number {
  for (;;) {
    const index = random.nextInteger(0, sizes.products - 1);
    const kind = getKind(index);
    if (kind === 'stocked' || (!onlyStocked && kind !== 'inactive')) return index;
  }
}

function createLines(plan: Plan, { country, onlyStocked }: { country: string; onlyStocked: boolean }): PricedLine[] {
  const { random, store } = plan;
  return Array.from({ length: random.nextInteger(1, 3) }, () => {
    const product = getProduct(plan, plan.id(`product ${pickProductIndex(plan, onlyStocked)}`));
    const isMonthly = !onlyStocked && product.price_monthly !== null && random.nextBoolean(0.5);
    const priceType = isMonthly ? PublicPriceType.MONTHLY : PublicPriceType.ONCE;
    return priceLine(product, findCountryPrice(store, product.id, country), { quantity: random.nextInteger(2, 6), priceType });
  });
}

/** Discounts 0 and 1 apply to every one-off price. */
function chooseDiscounts(plan: Plan, lines: readonly PricedLine[]) {
  if (!lines.some(({ priceType }) => priceType === PublicPriceType.ONCE) || plan.random.nextBoolean(0.7)) return [];
  return [getDiscount(plan, plan.id(`discount ${plan.random.nextInteger(0, 1)}`))];
}

/** The statuses of a customer's quotes, in rotation. Each customer starts with the next one, so that all statuses occur, however many quotes a customer has. */
const STATUSES = [PublicQuoteStatus.CONFIRMED, PublicQuoteStatus.CONCEPT, PublicQuoteStatus.DISCARDED, PublicQuoteStatus.CONCEPT] as const;

function seedDraft(plan: Plan, customerId: string, { index, at }: { index: number; at: number }) {
  const { world, workspaceId } = plan;
  const id = plan.id(`quote ${index}`);
  const country = plan.random.pick(['NL', 'NL', 'BE', 'DE'] as const);
  const lines = createLines(plan, { country, onlyStocked: index < STOCKED_ORDERS });
  const others = lines.length - 1;
  const title = `${lines[0]?.productName}${others > 0 ? ` and ${others} more` : ''}`;
  const pricing = priceQuote(lines, chooseDiscounts(plan, lines), country);
  const reference = insertDraft(world, { id, workspaceId, customerId, title, country, at }, pricing);
  writeTimeline(world, workspaceId, customerId, { ...createQuoteEvent({ id, reference }, 'created'), occurredAt: at });
  return { id, reference };
}

/** Creates the quotes `quote 0`, `quote 1`, …, oldest first. Runs after customers and discounts have been created. Returns the quotes to confirm, in order. */
export function seedQuotes(plan: Plan): ConfirmedQuote[] {
  const { world, workspaceId, random } = plan;
  const owners = assignCustomers(plan);
  const step = Math.floor(((FIRST_DAY - LAST_DAY) * DAY_SECONDS) / owners.length);
  const turns = new Map<string, number>();
  const confirmed: ConfirmedQuote[] = [];
  for (const [index, customerId] of owners.entries()) {
    const at = plan.now - FIRST_DAY * DAY_SECONDS + index * step;
    const quote = seedDraft(plan, customerId, { index, at });
    const turn = turns.get(customerId) ?? turns.size;
    turns.set(customerId, turn + 1);
    const onlyStocked = index < STOCKED_ORDERS;
    const status = onlyStocked ? PublicQuoteStatus.CONFIRMED : STATUSES[turn % STATUSES.length];
    // Quotes with only stocked products are confirmed before the next quote is created, so that they become the first orders.
    const end = at + (onlyStocked ? 60 : random.nextInteger(HOUR_SECONDS, (LAST_DAY - 1) * DAY_SECONDS));
    if (status === PublicQuoteStatus.CONFIRMED) confirmed.push({ id: quote.id, at: end });
    if (status === PublicQuoteStatus.DISCARDED) {
      setQuoteStatus(world, quote.id, { status, at: end });
      writeTimeline(world, workspaceId, customerId, { ...createQuoteEvent(quote, 'discarded'), occurredAt: end });
    }
  }
  return confirmed.sort((one, other) => one.at - other.at);
}
