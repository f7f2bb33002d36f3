import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const CREATE = `mutation ($input: PortfolioCreateInput!) {
  portfolioCreate(input: $input) {
    __typename
    ... on PortfolioCreatePayload {
      portfolio { id rawId title referenceNumber customerName email phone expectedCloseAt customFields { name value }
        contact { rawId } customer { id rawId } }
      effect
    }
    ... on ValidationError { issues { path message } }
    ... on NotFoundError { missingId path }
    ... on ForbiddenError { missingScopes }
    ... on MutationError { code }
  }
}`;

describe('Query.portfolio', () => {
  it('lists the quotes of the same record without fetching the portfolio', async () => {
    const query = 'query ($id: ID!) { portfolio(id: $id) { customer { rawId quotes(first: 1) { nodes { id } } } } }';
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: demoId('portfolio 1') }));
    expect(errors).toBeUndefined();
    expect(data.portfolio.customer.rawId).toBe(demoId('portfolio 1'));
    expect(calls).toEqual(['Quote/ListQuotes']);
  });

  it('returns the journey status of the record', async () => {
    const query = 'query ($id: ID!) { portfolio(id: $id) { journeyStatus { name } customer { journeyStatus { name } } } }';
    const statusId = demoId('status 1');
    await testGraph.execute(
      `mutation ($customerId: ID!, $statusId: ID!) {
        customerJourneyStatusSet(input: { customerId: $customerId, statusId: $statusId }) { __typename } }`,
      { customerId: demoId('portfolio 1'), statusId },
    );
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: demoId('portfolio 1') }));
    expect(data.portfolio).toEqual({ journeyStatus: { name: 'Contacted' }, customer: { journeyStatus: { name: 'Contacted' } } });
    expect(calls).toEqual(['Customer/GetCustomer', 'Journey/ListJourneyConfig']);
  });
});

describe('IDs of a portfolio', () => {
  it('work as an argument in the form of either type, and return the type of the field', async () => {
    const rawId = demoId('portfolio 1');
    const [portfolioId, customerId] = [toGlobalId('Portfolio', rawId), toGlobalId('Customer', rawId)];
    const query = `query ($asCustomer: ID!, $asPortfolio: ID!) {
      portfolio(id: $asCustomer) { id title }
      customer(id: $asPortfolio) { id title }
      problems(filter: { portfolioId: $asCustomer }) { nodes { portfolio { id customer { id } } } }
    }`;
    const { data, errors } = await testGraph.execute(query, { asCustomer: customerId, asPortfolio: portfolioId });
    expect(errors).toBeUndefined();
    expect([data.portfolio.id, data.customer.id]).toEqual([portfolioId, customerId]);
    expect(data.problems.nodes.length).toBeGreaterThan(0);
    for (const { portfolio } of data.problems.nodes) expect(portfolio).toEqual({ id: portfolioId, customer: { id: customerId } });
  });
});

describe('Portfolio node', () => {
  it('resolves to the type of the global ID', async () => {
    const rawId = demoId('portfolio 2');
    const ids = [toGlobalId('Portfolio', rawId), toGlobalId('Customer', rawId), toGlobalId('Portfolio', 'nothing')];
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Portfolio { title } ... on Customer { title } } }';
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { ids }));
    expect(data.nodes).toMatchObject([{ __typename: 'Portfolio', id: ids[0] }, { __typename: 'Customer', id: ids[1] }, null]);
    expect(data.nodes[0].title).toBe(data.nodes[1].title);
    expect(calls).toEqual(['Customer/GetCustomer', 'Customer/GetCustomer']);
  });
});

describe('CustomerRecord', () => {
  const CARD =
    'fragment Card on CustomerRecord { __typename rawId title customFields { name value } contact { rawId } journeyStatus { name } }';

  it('resolves for a customer and a portfolio with one fragment', async () => {
    const rawId = demoId('portfolio 1');
    const query = `query ($id: ID!) { customer(id: $id) { ...Card } portfolio(id: $id) { ...Card } } ${CARD}`;
    const { data, errors } = await testGraph.execute(query, { id: rawId });
    expect(errors).toBeUndefined();
    expect(data.customer).toMatchObject({ __typename: 'Customer', rawId, title: expect.any(String) });
    expect(data.portfolio).toEqual({ ...data.customer, __typename: 'Portfolio' });
  });

  it('reflects an update of either type in the other without another call', async () => {
    const rawId = demoId('portfolio 3');
    const fields = `customFields: [{ name: "budget", value: { text: "77" } }]`;
    const change = (mutation: string, id: string, other: string) => `mutation { ${mutation}(input: { ${id}: "${rawId}", ${fields} }) {
      ... on ${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Payload { ${other} { __typename rawId budget: customField(name: "budget") { value } } } } }`;
    for (const [mutation, id, other, operation] of [
      ['portfolioCustomFieldsUpdate', 'portfolioId', 'customer', 'Portfolio/PatchPortfolioDataFields'],
      ['customerCustomFieldsUpdate', 'customerId', 'portfolio', 'Customer/PatchCustomerDataFields'],
    ] as const) {
      const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(change(mutation, id, other)));
      expect(errors).toBeUndefined();
      expect(data[mutation][other]).toMatchObject({ rawId, budget: { value: '77' } });
      expect(calls).toEqual([operation]);
    }
  });

  it('resolves portfolio to null for a customer without a contact', async () => {
    const update = `mutation { customerUpdate(input: { customerId: "${demoId('customer 6')}", title: "Alone" }) {
      ... on CustomerUpdatePayload { portfolio { id } } } }`;
    const { data } = await testGraph.execute(update);
    expect(data.customerUpdate).toEqual({ portfolio: null });
  });
});

describe('Portfolio.contact', () => {
  it('fetches each contact once for many portfolios, and none if only IDs are selected', async () => {
    const ids = [0, 1, 2].map((index) => toGlobalId('Portfolio', demoId(`portfolio ${index}`)));
    // Create a second portfolio for one of the contacts.
    const duplicate = await testGraph.execute(CREATE, { input: { contactId: demoId('contact 0'), title: 'Twin' } });
    ids.push(duplicate.data.portfolioCreate.portfolio.id);
    const query = (fields: string) => `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Portfolio { contact { ${fields} } } } }`;
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query('rawId lastName'), { ids }));
    expect(data.nodes.map(({ contact }: { contact: { rawId: string } }) => contact.rawId)).toEqual(
      [0, 1, 2, 0].map((index) => demoId(`contact ${index}`)),
    );
    expect(calls).toEqual([...Array(4).fill('Customer/GetCustomer'), ...Array(3).fill('Contact/GetContact')]);
    const [, keyCalls] = await testGraph.recordCalls(() => testGraph.execute(query('id rawId'), { ids }));
    expect(keyCalls).toEqual(Array(4).fill('Customer/GetCustomer'));
  });
});

describe('Contact.portfolios', () => {
  it('lists the portfolios of a contact, newest first, without fetching the contact or the portfolios again', async () => {
    const contactId = demoId('contact 4');
    const created = await testGraph.execute(CREATE, { input: { contactId, title: 'Newest' } });
    const query = `query ($id: ID!) { contact(id: $id) { portfolios(first: 10) {
      nodes { id rawId title contact { rawId } customer { title } } pageInfo { hasNextPage } } } }`;
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: contactId }));
    expect(errors).toBeUndefined();
    const { nodes, pageInfo } = data.contact.portfolios;
    expect(nodes.map(({ rawId }: { rawId: string }) => rawId)).toEqual([
      created.data.portfolioCreate.portfolio.rawId,
      demoId('portfolio 4'),
    ]);
    expect(nodes[0]).toMatchObject({ title: 'Newest', contact: { rawId: contactId }, customer: { title: 'Newest' } });
    expect(pageInfo.hasNextPage).toBe(false);
    expect(calls).toEqual(['Customer/SearchCustomers']);
  });

  it('returns demo contacts that are older than their portfolios', async () => {
    const query = '{ contacts(first: 30) { nodes { createdAt portfolios { nodes { createdAt } } } } }';
    const { data } = await testGraph.execute(query);
    for (const { createdAt, portfolios } of data.contacts.nodes) {
      for (const portfolio of portfolios.nodes) expect(portfolio.createdAt > createdAt).toBe(true);
    }
  });
});

describe('Mutation.portfolioCreate', () => {
  it('creates a portfolio that is also readable as a customer', async () => {
    const contactId = demoId('contact 5');
    const input = {
      contactId: toGlobalId('Contact', contactId),
      title: 'Heat pump',
      phone: '020 555 0133',
      phoneCountryCode: 'NL',
      expectedCloseAt: '2026-06-01T10:00:00Z',
      customFields: [{ name: 'budget', value: { money: { minorUnits: '100' } } }],
    };
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE, { input }));
    const { portfolio, effect } = data.portfolioCreate;
    expect(effect).toBe('DONE');
    expect(portfolio).toMatchObject({
      title: 'Heat pump',
      customerName: null,
      email: null,
      phone: '+31205550133',
      expectedCloseAt: '2026-06-01T10:00:00Z',
      customFields: [{ name: 'budget', value: '100' }],
      contact: { rawId: contactId },
      customer: { id: toGlobalId('Customer', portfolio.rawId), rawId: portfolio.rawId },
    });
    expect(calls).toEqual(['Portfolio/CreatePortfolio']);
    const read = await testGraph.execute('query ($id: ID!) { customer(id: $id) { title contact { rawId } } }', { id: portfolio.rawId });
    expect(read.data.customer).toEqual({ title: 'Heat pump', contact: { rawId: contactId } });
  });
});
