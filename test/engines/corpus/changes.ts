import { demoId } from '../../sandbox/sandbox.ts';
import { type Area, type Case, NamedRecords, post } from './case.ts';

const FAILURE = '... on MutationError { code message retry }';
const CREATE = (lastName: string, key: string) =>
  `contactCreate(input: { lastName: "${lastName}", idempotencyKey: "${key}" }) { __typename ... on ContactCreatePayload { effect contact { lastName } } ${FAILURE} }`;
const LOOKUP = `query ($key: String!) { idempotentOperation(operation: "contactCreate", idempotencyKey: $key) { operation idempotencyKey state startedAt settledAt expiresAt } }`;

/** Several mutations in one document, their entries in the ledger lookup, and reads after them. */
const together: Case = {
  title: 'several mutations',
  steps: [
    { title: 'an unused key', request: post(LOOKUP, { key: 'one' }) },
    { title: 'two mutations', request: post(`mutation { a: ${CREATE('One', 'one')} b: ${CREATE('Two', 'two')} }`) },
    { title: 'the same key twice', request: post(`mutation { a: ${CREATE('Three', 'three')} b: ${CREATE('Three', 'three')} }`) },
    {
      title: 'a mutation that is skipped',
      request: post(`mutation ($no: Boolean = false) { __typename a: ${CREATE('No', 'no').replace(') {', ') @include(if: $no) {')} }`),
    },
    { title: 'a key that the ledger may have forgotten', request: post(`mutation { ${CREATE('Old', 'created:0:old')} }`) },
    { title: 'a used key', request: post(LOOKUP, { key: 'one' }) },
    { title: 'a used key, as another caller', request: post(LOOKUP, { key: 'one' }, 'demo-neighbour') },
    { title: 'a read after the mutations', request: post('{ contacts(first: 5) { nodes { lastName } } }') },
  ],
};

/** A mutation whose payload leads to further reads. */
const readingOn: Case = {
  title: 'a payload with more reads',
  steps: async (sandbox) => {
    const records = new NamedRecords(sandbox, 'reading-on');
    const quoteId = await records.id('Quote');
    const query = `mutation ($quoteId: ID!) { quoteConfirm(input: { quoteId: $quoteId }) {
      __typename
      ... on QuoteConfirmPayload { quote { status customer { title orders(first: 2) { nodes { referenceNumber } } } } order { status lines { product { name } } } }
      ${FAILURE}
    } }`;
    return [
      { title: 'a payload with more reads', request: post(query, { quoteId }) },
      { title: 'a quote that is already confirmed', request: post(query, { quoteId }) },
      { title: 'a quote that is missing', request: post(query, { quoteId: 'nothing' }) },
      { title: 'a quote of another workspace', request: post(query, { quoteId }, 'demo-neighbour') },
    ];
  },
};

/** Reads of the caller's permissions. */
const allowed: Case = {
  title: 'what the viewer can do',
  steps: ['demo-owner', 'demo-reader', 'demo-restricted'].map((key) => ({
    title: `what ${key} can do`,
    request: post(
      'query ($of: [String!]!) { viewerCan(coordinates: $of) { coordinate can missingScopes } }',
      { of: ['Mutation.quoteConfirm', 'Customer.quotes', 'Order'] },
      key,
    ),
  })),
};

/** Changes of a record between two queries of it. */
const readAgain: Case = {
  title: 'a record before and after a mutation',
  steps: ['before', 'after'].flatMap((phase, index) => [
    ...(index === 0
      ? []
      : [
          {
            title: 'the mutation between',
            request: post(
              `mutation { contactUpdate(input: { contactId: "${demoId('contact 0')}", lastName: "Changed" }) { __typename ${FAILURE} } }`,
            ),
          },
        ]),
    { title: `the record ${phase} the mutation`, request: post(`{ contact(id: "${demoId('contact 0')}") { lastName } }`) },
  ]),
};

export const changes: Area = { name: 'changes', cases: [together, readingOn, allowed, readAgain] };
