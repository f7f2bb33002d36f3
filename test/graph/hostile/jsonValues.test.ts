import { afterEach, describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

/** Properties that every object inherits: no JSON value may add one. */
const inherited = () => ({ plain: Object.keys(Object.prototype), polluted: ({} as Record<string, unknown>).polluted });
afterEach(() => expect(inherited()).toEqual({ plain: [], polluted: undefined }));

const UPDATE = `mutation ($json: JSON!) {
  customerCustomFieldsUpdate(input: { customerId: "${demoId('customer 0')}", customFields: [{ name: "unheard_of", value: { json: $json } }] }) {
    __typename
    ... on MutationError { code message }
  }
}`;

/** Posts a body as it is: an object literal cannot have a key `__proto__`. */
async function post(body: string) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/graphql-response+json',
    authorization: 'Bearer demo-owner',
  };
  const [response, calls] = await testGraph.recordCalls(() => fetch(`${testGraph.url}/graphql`, { method: 'POST', headers, body }));
  const { data, errors } = (await response.json()) as { data?: unknown; errors?: { message: string; extensions: { code: string } }[] };
  return { status: response.status, data, told: errors?.map(({ message, extensions }) => `${extensions.code}: ${message}`), calls };
}

const bodyOf = (query: string, variables: string, extensions = '{}') =>
  `{ "query": ${JSON.stringify(query)}, "variables": ${variables}, "extensions": ${extensions} }`;
const refusal = (message: string) => ({ status: 400, data: undefined, told: [expect.stringContaining(message)], calls: [] });
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('a key that leads to a prototype', () => {
  const KEYS = ['__proto__', 'constructor', 'prototype'];

  it.each(KEYS)('is refused in variables, at any depth: %s', async (key) => {
    for (const json of [`{ "${key}": { "polluted": true } }`, `[{ "a": [{ "b": { "${key}": {} } }] }]`]) {
      expect(await post(bodyOf(UPDATE, `{ "json": ${json} }`))).toEqual(
        refusal(`BAD_USER_INPUT: \`variables\` must not have a key named ${key}.`),
      );
    }
    expect(await post(bodyOf(UPDATE, `{ "json": 1, "${key}": {} }`))).toEqual(refusal(key));
    expect(await post(bodyOf('{ __typename }', '{}', `{ "a": { "${key}": {} } }`))).toEqual(refusal('`extensions`'));
  });

  it.each(KEYS)('is refused in a body by GET: %s', async (key) => {
    const parameters = new URLSearchParams({ query: 'query ($a: JSON) { __typename }', variables: `{ "a": { "${key}": 1 } }` });
    const response = await fetch(`${testGraph.url}/graphql?${parameters}`, { headers: { accept: 'application/graphql-response+json' } });
    expect([response.status, (await response.json()).errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
  });

  it.each(KEYS)('is refused in documents, where a value or a default may be: %s', async (key) => {
    const value = `{ a: [{ ${key}: { polluted: true } }] }`;
    for (const query of [
      UPDATE.replace('$json }', `${value} }`).replace('($json: JSON!)', ''),
      UPDATE.replace('$json: JSON!', `$json: JSON! = ${value}`),
      `{ _entities(representations: [{ __typename: "Customer", ${key}: { polluted: true } }]) { __typename } }`,
      `{ contacts { nodes { id @include(if: { ${key}: 1 }) } } }`,
    ]) {
      expect(await post(bodyOf(query, '{}'))).toEqual(refusal(`BAD_USER_INPUT: An object must not have a key named ${key}.`));
    }
  });

  it('is taken where it is a text or the name of something in the document', async () => {
    const query = 'query ($name: String) { __proto__: contacts(first: 1) { constructor: nodes { prototype: __typename } } }';
    const { data, told } = await post(bodyOf(query.replace('($name: String)', ''), '{ "name": "__proto__" }'));
    expect(told).toBeUndefined();
    expect(JSON.stringify(data)).toBe('{"__proto__":{"constructor":[{"prototype":"Contact"}]}}');
  });
});

describe('a JSON value', () => {
  it('is kept as it was sent, as deep and as long as may be', async () => {
    for (const json of ['{ "a": [1, null, "b", { "c": true }] }', nested(30), JSON.stringify('x'.repeat(65_000))]) {
      const { data, told } = await post(bodyOf(UPDATE, `{ "json": ${json} }`));
      expect([told, data]).toEqual([undefined, { customerCustomFieldsUpdate: { __typename: 'CustomerCustomFieldsUpdatePayload' } }]);
    }
  });

  it('is refused when it nests too deep, before it can fill the stack', async () => {
    for (const levels of [32, 1_000, 150_000]) {
      expect(await post(bodyOf(UPDATE, `{ "json": ${nested(levels)} }`))).toEqual(
        refusal('BAD_USER_INPUT: `variables` must not nest more than 32 levels deep.'),
      );
    }
    const literal = UPDATE.replace('$json }', `${'['.repeat(40)}${']'.repeat(40)} }`).replace('($json: JSON!)', '');
    expect(await post(bodyOf(literal, '{}'))).toEqual(refusal('JSON must not nest more than 32 levels deep.'));
  });

  it('is refused when it is too long', async () => {
    const { status, told, calls } = await post(bodyOf(UPDATE, `{ "json": ${JSON.stringify('x'.repeat(66_000))} }`));
    expect([status, told, calls]).toEqual([400, [expect.stringMatching(/^BAD_USER_INPUT: Variable "\$json" got invalid value/)], []]);
    // Nor is it repeated.
    expect(told?.[0]?.length).toBeLessThan(3_000);
    const literal = UPDATE.replace('$json }', `"${'x'.repeat(66_000)}" }`).replace('($json: JSON!)', '');
    expect(await post(bodyOf(literal, '{}'))).toEqual(refusal('JSON must have at most 65536 characters.'));
  });
});
