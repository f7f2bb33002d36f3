// Lists the quotes of a customer and confirms the newest concept among them: `npm run example:client -- C-000001`.
import { graphUrl } from '../graphUrl.ts';
import { tellErrors, tellFailure } from './advice.ts';
import { type Graph, GraphError } from './client.ts';
import { amountOf, confirmQuote, findCustomer, type Quote, quotesOf } from './quotes.ts';
import { MutationFailure } from './unwrap.ts';

const graph: Graph = {
  url: graphUrl(process.env).href,
  key: process.env.API_KEY ?? 'demo-owner',
};

/** Prints the quotes of a customer, and answers the newest concept among them. */
async function listQuotes(customerId: string) {
  let concept: Quote | undefined;
  for await (const quote of quotesOf(graph, customerId)) {
    const { referenceNumber, status, totalOnce, title } = quote;
    console.log(`  ${referenceNumber}  ${status?.padEnd(9)}  ${amountOf(totalOnce).padStart(16)}  ${title ?? ''}`);
    if (status === 'CONCEPT') concept ??= quote;
  }
  return concept;
}

/** Answers whether all went well. */
async function run(referenceNumber: string): Promise<boolean> {
  const customer = await findCustomer(graph, referenceNumber);
  if (!customer) {
    console.error(`This key sees no customer ${referenceNumber}. Give the reference number of one that it does see.`);
    return false;
  }
  console.log(`The quotes of ${referenceNumber}, ${customer.title}:`);
  const concept = await listQuotes(customer.id);
  if (!concept) {
    console.log('None of them is a concept that could be confirmed.');
    return true;
  }
  console.log(`Confirming ${concept.referenceNumber}.`);
  const { order, errors } = await confirmQuote(graph, concept.id);
  console.log(`It is now order ${order?.referenceNumber ?? '(unknown)'} over ${amountOf(order?.totalOnce)}.`);
  if (errors.length > 0) console.error(`Not all of it could be read. ${tellErrors(errors)}`);
  return true;
}

const done = await run(process.argv[2] ?? 'C-000001').catch((error: unknown) => {
  if (error instanceof MutationFailure) console.log(tellFailure(error));
  else if (error instanceof GraphError) console.error(tellErrors(error.errors));
  else throw error;
  return false;
});
process.exitCode = done ? 0 : 1;
