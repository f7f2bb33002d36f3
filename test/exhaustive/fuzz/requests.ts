import fc from 'fast-check';
import type { GraphQLSchema } from 'graphql';
import type { RawRequest } from '../../support/rawHttp.ts';
import { type Dice, NAMES, TEXTS } from './dice.ts';
import { generateOperation } from './documents.ts';

/** An HTTP request, or raw bytes. */
export type FuzzRequest = { readonly kind: 'http'; readonly request: RawRequest } | { readonly kind: 'bytes'; readonly bytes: Buffer };

const VALUES = [
  'application/json',
  'application/graphql-response+json',
  'multipart/mixed',
  'text/event-stream',
  '*/*;q=0.5, text/html',
  'text/html',
  'gzip, br;q=0',
  'identity;q=0, *;q=0',
  'http://evil.example',
  'ftv1',
  '100-continue',
  'x'.repeat(2_000),
  ',,,;;;===',
  '\xff\xfe',
  '""',
  '-1',
];
const HEADERS = [
  'accept',
  'accept-encoding',
  'apollo-federation-include-trace',
  'content-encoding',
  'content-type',
  'cookie',
  'forwarded',
  'host',
  'if-none-match',
  'origin',
  'referer',
  'x-api-key',
  'x-forwarded-for',
  'x-http-method-override',
  'x-request-id',
];
const PATHS = [
  '/',
  '/graphql',
  '/graphql/',
  '/graphql/../x',
  '/health/live',
  '/health/ready',
  '//',
  '/%',
  '/%00',
  '/..',
  '*',
  'http://x/graphql',
  '/graphql?',
  '/graphql?query',
  '/graphql#x',
];

const generateHeaders = (dice: Dice) => Object.fromEntries(dice.list(3, () => [dice.pick(HEADERS), dice.pick(VALUES)] as const));

/** Parameters of a GraphQL request with a random operation. Some are invalid. */
function generateParams(schema: GraphQLSchema, dice: Dice): unknown {
  const operation = generateOperation(schema, dice);
  if (!dice.oneIn(6)) return operation;
  return dice.pick<unknown>([
    [operation, operation],
    { ...operation, operationName: dice.pick<unknown>([...NAMES, 5, {}, null]) },
    { ...operation, extensions: { persistedQuery: { version: 1, sha256Hash: dice.pick<unknown>([...TEXTS, 5]) } } },
    { documentId: dice.pick<unknown>([...TEXTS, 5, []]) },
    { ...operation, [dice.pick(TEXTS)]: 1 },
    { query: dice.pick<unknown>([...TEXTS, 5, null, {}]), variables: dice.any(fc.jsonValue, { maxDepth: 6 }) },
    dice.any(fc.jsonValue, { maxDepth: 3 }),
  ]);
}

function generateHttpRequest(schema: GraphQLSchema, key: string, dice: Dice): RawRequest {
  const auth = dice.oneIn(12) ? {} : { authorization: `Bearer ${key}` };
  const isPlain = !dice.oneIn(5);
  const more = isPlain ? {} : generateHeaders(dice);
  const accept = dice.pick(['application/json', 'application/graphql-response+json', 'multipart/mixed', 'text/event-stream']);
  const params = generateParams(schema, dice);
  if (dice.oneIn(6)) {
    const entries = typeof params === 'object' && params !== null ? Object.entries(params) : [];
    const texts = entries.map(([name, value]) => [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')]);
    const search = new URLSearchParams(Object.fromEntries(texts)).toString().slice(0, 12_000);
    return {
      method: dice.pick(['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PUT']),
      path: `/graphql?${search}`,
      headers: { accept, ...auth, ...more },
    };
  }
  const json = JSON.stringify(params) ?? '';
  const body = dice.oneIn(15) ? json.slice(0, dice.upTo(json.length)) : json;
  return { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json', accept, ...auth, ...more }, body };
}

/** A request as raw bytes, some of them replaced. */
function generateBytes(schema: GraphQLSchema, key: string, dice: Dice): Buffer {
  if (dice.oneIn(8)) return Buffer.from(dice.any(fc.uint8Array, { maxLength: 400 }));
  const body = JSON.stringify(generateOperation(schema, dice)).slice(0, 20_000);
  const lines = [
    `${dice.pick(['POST', 'GET', 'PUT', 'CONNECT', 'PRI', 'TRACE', 'post'])} ${dice.pick(PATHS)} HTTP/${dice.pick(['1.1', '1.1', '1.0', '2.0', '9'])}`,
    'Host: x',
    'Content-Type: application/json',
    `Authorization: Bearer ${key}`,
    ...Object.entries(generateHeaders(dice)).map(([name, value]) => `${name}: ${value}`),
    dice.pick([
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Transfer-Encoding: chunked',
      'Content-Length: -1',
      'Content-Length: 99999999',
      'Connection: close',
    ]),
  ];
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'utf8');
  for (const { at, value } of dice.list(6, () => ({ at: dice.upTo(bytes.length - 1), value: dice.upTo(255) }))) bytes[at] = value;
  return bytes.subarray(0, dice.oneIn(3) ? dice.upTo(bytes.length) : bytes.length);
}

/** A random request. */
export const generateRequest = (schema: GraphQLSchema, key: string, dice: Dice): FuzzRequest =>
  dice.oneIn(7)
    ? { kind: 'bytes', bytes: generateBytes(schema, key, dice) }
    : { kind: 'http', request: generateHttpRequest(schema, key, dice) };
