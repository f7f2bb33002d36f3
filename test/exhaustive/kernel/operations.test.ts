import type { DescField, JsonObject, JsonValue } from '@bufbuild/protobuf';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endpoints } from '../../../sandbox/index.ts';
import type { Endpoint } from '../../../sandbox/kernel/service.ts';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { createRequestFor } from '../../sandbox/requestFor.ts';
import { useSandbox } from '../../sandbox/sandbox.ts';
import { spec } from '../../support/spec.ts';

const opened = useSandbox();
const { call, callAs } = opened;

/** The operation's documented scopes, or if they aren't documented, those that the sandbox assumes. */
function listScopes({ name, options }: Endpoint): readonly string[] {
  const operation = operations.find((candidate) => candidate.name === name);
  return operation?.scopesUnknown ? options.assumedScopes : (operation?.scopes ?? []);
}

const scopePairs = endpoints.flatMap((endpoint) => listScopes(endpoint).map((scope) => [endpoint.name, scope] as const));

it('serves every operation of the contract, and no others', spec('4.11.52', '4.11.53'), () => {
  expect(endpoints.map(({ name }) => name).sort()).toEqual(operations.map(({ name }) => name).sort());
});

it('requires at least one scope for every operation', spec('4.0.1'), () => {
  expect(endpoints.filter((endpoint) => listScopes(endpoint).length === 0).map(({ name }) => name)).toEqual([]);
});

describe('scopes', () => {
  it.each(scopePairs)(
    '%s rejects a key that has every scope except %s, and names it',
    spec('4.0.1', '5.32', '7.3'),
    async (operation, scope) => {
      const key = makeKey(opened.sandbox.world, { scopes: ALL_SCOPES.filter((other) => other !== scope) });
      const { status, body } = await callAs(key, operation, {});
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'permission_denied' });
      expect(body.message.match(/[a-z_]+:[a-z_]+/g)).toEqual([scope]);
    },
  );

  it.each(endpoints.map((endpoint) => [endpoint.name, listScopes(endpoint)] as const))(
    '%s requires %j, and no other scope',
    async (operation, scopes) => {
      const key = makeKey(opened.sandbox.world, { scopes });
      expect([401, 403]).not.toContain((await callAs(key, operation, {})).status);
    },
  );

  it('requires the scope to read files only for a comment with attachments', spec('5.7'), async () => {
    const key = makeKey(opened.sandbox.world, { scopes: ['customer_comment:create'] });
    const comment = { customerId: 'absent', body: 'Hello' };
    expect((await callAs(key, 'Customer/CreateCustomerComment', comment)).status).toBe(404);
    const { status, body } = await callAs(key, 'Customer/CreateCustomerComment', { ...comment, attachments: ['file'] });
    expect({ status, message: body.message }).toEqual({ status: 403, message: expect.stringContaining('customer_file:read') });
  });
});

describe('account permissions', () => {
  const restricted = endpoints.filter(({ permissions }) => permissions.length > 0 && !permissions.includes('boardAccess:READ_ONLY'));

  it.each(restricted.map(({ name, permissions }) => [name, permissions] as const))(
    '%s rejects a key with all scopes whose account lacks %j',
    spec('4.11.1', '4.11.2', '5.14', '5.20', '7.4'),
    async (operation, permissions) => {
      const { status, body } = await callAs('demo-restricted', operation, {});
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'permission_denied' });
      for (const permission of permissions) expect(body.message).toContain(permission);
      expect(body.message).not.toContain('scope');
    },
  );

  const alternatives = endpoints.flatMap(({ name, permissions }) => permissions.map((permission) => [name, permission] as const));

  it.each(alternatives)('%s accepts an account whose only permission is %s', async (operation, permission) => {
    const key = makeKey(opened.sandbox.world, { permissions: [permission] });
    expect((await callAs(key, operation, {})).status).not.toBe(403);
  });
});

/** The request with one field set, without the fields that can't be combined with it. */
function createRequest(endpoint: Endpoint, field: DescField, value: JsonValue): JsonObject {
  const request = createRequestFor(opened.sandbox.world, endpoint);
  const exclusive = operations.find(({ name }) => name === endpoint.name)?.rules.exactlyOne ?? [];
  if (exclusive.includes(field.jsonName)) for (const name of exclusive) delete request[name];
  return { ...request, [field.jsonName]: value };
}

const isJsonField = (field: DescField) => field.message?.typeName === 'google.protobuf.Value' && field.fieldKind === 'message';
const endpointsWithFields = endpoints
  .filter(({ method }) => method.input.fields.length > 0)
  .map((endpoint) => [endpoint.name, endpoint] as const);

describe('fields with a wrong type', () => {
  it.each(endpointsWithFields)('%s returns 400 and names the field', spec('7.1'), async (operation, endpoint) => {
    for (const field of endpoint.method.input.fields.filter((candidate) => !isJsonField(candidate))) {
      const wrong = field.fieldKind === 'scalar' || field.fieldKind === 'enum' ? {} : 5;
      const { status, body } = await call(operation, createRequest(endpoint, field, wrong));
      expect({ status, code: body.code, message: body.message }).toEqual({
        status: 400,
        code: 'invalid_argument',
        message: expect.stringMatching(new RegExp(`\\b(${field.name}|${field.jsonName})\\b`)),
      });
    }
  });
});

const MAX_INT64 = '9223372036854775807';
const UNUSUAL_VALUES: readonly JsonValue[] = [
  ...[null, '', ' ', 'x', 'a'.repeat(70_000), '\u0000', '\ud800', '%_\\', "'; --", 'NaN', MAX_INT64, `-${MAX_INT64}`, true],
  ...[0, 1, -1, 1.5, 1e300, 2_147_483_647, 2_147_483_648, [], {}, [null], [[]], [{}], [''], ['x', 'x'], [1, 1]],
  ...[{ toString: 'x' }, { constructor: null }, { Notes: 'x'.repeat(70_000) }],
];

describe('unusual values', () => {
  const printed = vi.fn();
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(printed);
    printed.mockClear();
  });
  afterEach(() => vi.restoreAllMocks());

  it.each(endpointsWithFields)(
    '%s never fails with an internal error, for any value of any field',
    spec('7.1'),
    async (operation, endpoint) => {
      for (const field of endpoint.method.input.fields) {
        let request = createRequest(endpoint, field, null);
        for (const value of UNUSUAL_VALUES) {
          const { status } = await call(operation, { ...request, [field.jsonName]: value });
          // A successful request can change the records that the request refers to.
          if (status === 200) request = createRequest(endpoint, field, null);
          const printedValue = JSON.stringify(value).slice(0, 40);
          expect(status, `${field.name} = ${printedValue}: ${printed.mock.lastCall}`).toBeLessThan(500);
        }
      }
    },
  );
});
