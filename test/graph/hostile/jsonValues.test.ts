import { afterEach, describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

/** Properties that every object inherits: a JSON value must not add one. */
const getInheritedProperties = () => ({ plain: Object.keys(Object.prototype), polluted: ({} as Record<string, unknown>).polluted });
afterEach(() => expect(getInheritedProperties()).toEqual({ plain: [], polluted: undefined }));

const UPDATE = `mutation ($json: JSON!) {
  customerCustomFieldsUpdate(input: { customerId: "${demoId('customer 0')}", customFields: [{ name: "unheard_of", value: { json: $json } }] }) {
    __typename
    ... on MutationError { code message }
  }
}`;

/** Posts a raw body, because an object literal cannot have a key `__proto__`. */
async function post(body: string) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/graphql-response+json',
    authorization: 'Bearer demo-owner',
  };
  const [response, calls] = await testGraph.recordCalls(() => fetch(`${testGraph.url}/graphql`, { method: 'POST', headers, body }));
  const { data, errors } = (await response.json()) as { data?: unknown; errors?: { message: string; extensions: { code: string } }[] };
  return { status: response.status, data, messages: errors?.map(({ message, extensions }) => `${extensions.code}: ${message}`), calls };
}

const formatBody = (query: string, variables: string, extensions = '{}') =>
  `{ "query": ${JSON.stringify(query)}, "variables": ${variables}, "extensions": ${extensions} }`;
const expectRefusal = (message: string) => ({ status: 400, data: undefined, messages: [expect.stringContaining(message)], calls: [] });
const nestObjects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('prototype key', () => {
  const KEYS = ['__proto__', 'constructor', 'prototype'];

  it.each(KEYS)('causes a rejection in variables at any depth: %s', async (key) => {
    for (const [path, json] of [
      ['json', `{ "${key}": { "polluted": true } }`],
      ['json.0.a.0.b', `[{ "a": [{ "b": { "${key}": {} } }] }]`],
    ]) {
      expect(await post(formatBody(UPDATE, `{ "json": ${json} }`))).toEqual(
        expectRefusal(`BAD_USER_INPUT: \`variables.${path}\` must not have a key named ${key}.`),
      );
    }
    expect(await post(formatBody(UPDATE, `{ "json": 1, "${key}": {} }`))).toEqual(expectRefusal(key));
    expect(await post(formatBody('{ __typename }', '{}', `{ "a": { "${key}": {} } }`))).toEqual(expectRefusal('`extensions.a`'));
  });

  it.each(KEYS)('causes a rejection in a GET request: %s', async (key) => {
    const parameters = new URLSearchParams({ query: 'query ($a: JSON) { __typename }', variables: `{ "a": { "${key}": 1 } }` });
    const response = await fetch(`${testGraph.url}/graphql?${parameters}`, { headers: { accept: 'application/graphql-response+json' } });
    expect([response.status, (await response.json()).errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
  });

  it.each(KEYS)('causes a rejection in values and defaults of documents: %s', async (key) => {
    const value = `{ a: [{ ${key}: { polluted: true } }] }`;
    for (const query of [
      UPDATE.replace('$json }', `${value} }`).replace('($json: JSON!)', ''),
      UPDATE.replace('$json: JSON!', `$json: JSON! = ${value}`),
      `{ _entities(representations: [{ __typename: "Customer", ${key}: { polluted: true } }]) { __typename } }`,
      `{ contacts { nodes { id @include(if: { ${key}: 1 }) } } }`,
    ]) {
      expect(await post(formatBody(query, '{}'))).toEqual(expectRefusal(`BAD_USER_INPUT: An object must not have a key named ${key}.`));
    }
  });

  it('passes as a string value and as a name in the document', async () => {
    const query = 'query ($name: String) { __proto__: contacts(first: 1) { constructor: nodes { prototype: __typename } } }';
    const { data, messages } = await post(formatBody(query.replace('($name: String)', ''), '{ "name": "__proto__" }'));
    expect(messages).toBeUndefined();
    expect(JSON.stringify(data)).toBe('{"__proto__":{"constructor":[{"prototype":"Contact"}]}}');
  });
});

describe('JSON value', () => {
  it('reaches the upstream unchanged up to the limits of depth and length', async () => {
    for (const json of [
      '{ "a": [1, null, "b", { "c": true }] }',
      nestObjects(30),
      JSON.stringify('x'.repeat(65_000)),
      JSON.stringify('😀'.repeat(65_000)),
    ]) {
      const { data, messages } = await post(formatBody(UPDATE, `{ "json": ${json} }`));
      expect([messages, data]).toEqual([undefined, { customerCustomFieldsUpdate: { __typename: 'CustomerCustomFieldsUpdatePayload' } }]);
    }
  });

  it('causes a rejection if nested too deeply, without a stack overflow', async () => {
    for (const levels of [32, 1_000, 150_000]) {
      expect(await post(formatBody(UPDATE, `{ "json": ${nestObjects(levels)} }`))).toEqual(
        expectRefusal('BAD_USER_INPUT: `variables` must not nest more than 32 levels deep.'),
      );
    }
    const literal = UPDATE.replace('$json }', `${'['.repeat(40)}${']'.repeat(40)} }`).replace('($json: JSON!)', '');
    expect(await post(formatBody(literal, '{}'))).toEqual(
      expectRefusal(
        'GRAPHQL_VALIDATION_FAILED: Invalid value of "input.customFields.value.json": JSON must not nest more than 32 levels deep.',
      ),
    );
  });

  it('causes a rejection if it is too long', async () => {
    const { status, messages, calls } = await post(formatBody(UPDATE, `{ "json": ${JSON.stringify('x'.repeat(66_000))} }`));
    expect([status, messages, calls]).toEqual([400, [expect.stringMatching(/^BAD_USER_INPUT: Variable "\$json" got invalid value/)], []]);
    // The message doesn't repeat the value.
    expect(messages?.[0]?.length).toBeLessThan(3_000);
    const literal = UPDATE.replace('$json }', `"${'x'.repeat(66_000)}" }`).replace('($json: JSON!)', '');
    expect(await post(formatBody(literal, '{}'))).toEqual(expectRefusal('JSON must have at most 65536 characters.'));
  });
});
