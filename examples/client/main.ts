// Lists the quotes of a customer and confirms the newest draft: `node examples/client/main.ts C-000001`.
import '../../scripts/help.ts';
import { MutationFailure } from '../../client/src/index.ts';
import { graphUrl } from '../graphUrl.ts';
import { describeErrors, describeFailure } from './advice.ts';
import { type Graph, GraphError } from './client.ts';
import { confirmQuote, findCustomer, formatAmount, listQuotes, type Quote } from './quotes.ts';

const graph: Graph = {
  url: graphUrl(process.env).href,
  key: process.env.API_KEY ?? 'demo-owner',
};

/** Prints the quotes of a customer, and returns the newest draft. */
async function printQuotes(customerId: string) {
  let draft: Quote | undefined;
  for await (const quote of listQuotes(graph, customerId)) {
    const { referenceNumber, status, totalOnce, title } = quote;
    console.log(`  ${referenceNumber}  ${status?.padEnd(9)}  ${formatAmount(totalOnce).padStart(16)}  ${title ?? ''}`);
    if (status === 'CONCEPT') draft ??= quote;
  }
  return draft;
}

/** Returns whether everything succeeded. */
async function run(referenceNumber: string): Promise<boolean> {
  const customer = await findCustomer(graph, referenceNumber);
  if (!customer) {
    console.error(`Customer ${referenceNumber} not found. Specify the reference number of a customer that the key can read.`);
    return false;
  }
  console.log(`Quotes of ${referenceNumber}, ${customer.title}:`);
  const draft = await printQuotes(customer.id);
  if (!draft) {
    console.log('There is no draft to confirm.');
    return true;
  }
  console.log(`Confirming ${draft.referenceNumber}.`);
  const { order, errors } = await confirmQuote(graph, draft.id);
  console.log(`Created order ${order?.referenceNumber ?? '(unknown)'} for ${formatAmount(order?.totalOnce)}.`);
  if (errors.length > 0) console.error(`Some fields couldn’t be read. ${describeErrors(errors)}`);
  return true;
}

const done = await run(process.argv[2] ?? 'C-000001').catch((error: unknown) => {
  if (error instanceof MutationFailure) console.log(describeFailure(error));
  else if (error instanceof GraphError) console.error(describeErrors(error.errors));
  else throw error;
  return false;
});
process.exitCode = done ? 0 : 1;
