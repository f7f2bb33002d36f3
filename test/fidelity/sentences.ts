import { ACCESS } from './access.ts';
import { ANALYTICS } from './analytics.ts';
import { ANALYTICS_ANSWERS } from './analyticsAnswers.ts';
import { ANALYTICS_RULES } from './analyticsRules.ts';
import { APPOINTMENTS } from './appointments.ts';
import { BILLING } from './billing.ts';
import { CATALOG } from './catalog.ts';
import { CUSTOMERS } from './customers.ts';
import { DATA_FIELDS } from './dataFields.ts';
import { MESSAGES } from './messages.ts';
import { PEOPLE } from './people.ts';
import { PROBLEMS } from './problems.ts';
import { RECEIPTS } from './receipts.ts';
import { SALES } from './sales.ts';
import type { Sentence } from './sentence.ts';
import { STOCK } from './stock.ts';
import { TOOLS } from './tools.ts';
import { WIRE } from './wire.ts';
import { WORK_ORDERS } from './workOrders.ts';

/**
 * The behaviour that the upstream's specification states, sentence by sentence, with the tests that show it. Covers the general parts (requests, keys,
 * failures, limits, versions) and every service. Left out are the scopes of single operations, which the
 * contract holds.
 */
export const SENTENCES: readonly Sentence[] = [
  ...WIRE,
  ...ACCESS,
  ...TOOLS,
  ...CUSTOMERS,
  ...DATA_FIELDS,
  ...CATALOG,
  ...SALES,
  ...BILLING,
  ...STOCK,
  ...RECEIPTS,
  ...PEOPLE,
  ...MESSAGES,
  ...PROBLEMS,
  ...WORK_ORDERS,
  ...APPOINTMENTS,
  ...ANALYTICS,
  ...ANALYTICS_RULES,
  ...ANALYTICS_ANSWERS,
];
