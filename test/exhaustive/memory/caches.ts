import { createHash } from 'node:crypto';
import type { Attack } from './attack.ts';

const MB = 1024 * 1024;

/** Size of the document cache in these tests, in MB. Smaller than the default, so that it's filled in seconds. */
const DOCUMENTS_MB = 16;

/** A cache that clients can fill, with its limit from the table in `docs/security.md`. */
interface FilledCache {
  /** Its name in the table. */
  readonly name: string;
  readonly limit: number;
}

const DOCUMENTS: FilledCache = { name: 'Parsed documents', limit: DOCUMENTS_MB * MB };
const COSTS: FilledCache = { name: 'Costs of operations', limit: 16 * MB };
const UNPARSED: FilledCache = { name: 'Errors of documents that can’t be parsed', limit: DOCUMENTS.limit / 16 };
const INVALID: FilledCache = { name: 'Errors of invalid documents', limit: DOCUMENTS.limit / 16 };
const COMPILED: FilledCache = { name: 'Compiled queries', limit: DOCUMENTS_MB * MB };
const SCHEMA: FilledCache = { name: 'Responses with the schema', limit: 16 * MB };
const REGISTERED: FilledCache = { name: 'Automatic persisted queries', limit: 8 * MB };
const HEADERS: FilledCache = { name: 'Negotiated headers', limit: 4 * MB };
const KEYS: FilledCache = { name: 'API keys', limit: 40 * MB };
const READS: FilledCache = { name: 'Cached responses', limit: 35 * MB };

export const SETTINGS = {
  APQ: 'true',
  DOCUMENT_CACHE_MB: String(DOCUMENTS_MB),
  READ_CACHE_MS: '60000',
  GRAPHIQL: 'true',
  MCP: 'true',
  LIVE: 'on',
};

/** Requests that fill caches with the entries that take the most memory for their weight. */
interface Filling {
  readonly name: string;
  readonly caches: readonly FilledCache[];
  readonly requests: number;
  /** The request with this index, which no other one equals. */
  readonly create: (index: number) => Attack;
}

export const KEY = { authorization: 'Bearer demo-owner' };

const send = (query: string, variables: object = {}, headers: Attack['headers'] = {}): Attack => ({
  headers,
  body: JSON.stringify({ query, variables }),
});
const repeat = (count: number, write: (index: number) => string) => Array.from({ length: count }, (_, index) => write(index)).join(' ');
/** A long text of characters with two bytes in memory. */
const WIDE = 'ж'.repeat(40_000);

const OPERATIONS = 50;
const CONDITIONS = Array.from({ length: 13 }, (_, index) => `c${index}`);
/** Executions after which a query is compiled. */
const COMPILED_AFTER = 3;

/** The first ones fill the caches that later ones share. */
export const FILLINGS: readonly Filling[] = [
  {
    name: 'costs of one operation',
    caches: [COSTS],
    requests: 9_000,
    create: (index) =>
      send(
        `query(${CONDITIONS.map((each) => `$${each}:Boolean!`).join()}){__typename ${CONDITIONS.map((each) => `${each}:__typename @include(if:$${each})`).join()}}`,
        Object.fromEntries(CONDITIONS.map((each, bit) => [each, (index >> bit) % 2 === 1])),
      ),
  },
  { name: 'an unknown field', caches: [INVALID], requests: 3_500, create: (index) => send(`{nope${index}}`) },
  {
    name: 'many errors with many locations',
    caches: [INVALID],
    requests: 200,
    create: (index) => {
      const select = (field: string) => `viewer{${repeat(30, (each) => `a${each}:${field}`)}}`;
      return send(`{${select('scopes')} ${select('__typename')} ${repeat(20, (each) => `x${each}`)} u${index}}`);
    },
  },
  { name: 'a long unknown field', caches: [INVALID], requests: 200, create: (index) => send(`{${'customer'.repeat(6_000)}${index}}`) },
  {
    name: 'an unknown enum value',
    caches: [INVALID],
    requests: 1_000,
    create: (index) => send(`{quoteSearch(filter:{status:{eq:N${index}}}){nodes{id}}}`),
  },
  { name: 'a missing bracket', caches: [UNPARSED], requests: 1_000, create: (index) => send(`{nope${index}`) },
  { name: 'an unexpected string', caches: [UNPARSED], requests: 100, create: (index) => send(`{a "${WIDE}${index}"}`) },
  { name: 'a short document', caches: [DOCUMENTS, COSTS], requests: 5_500, create: (index) => send(`{a${index}:__typename}`) },
  {
    name: 'short names',
    caches: [DOCUMENTS, COSTS],
    requests: 500,
    create: (index) => send(`{x${index}:__typename ${repeat(95, (each) => `a${each}:__typename`)}}`),
  },
  { name: 'a long comment', caches: [DOCUMENTS, COSTS], requests: 300, create: (index) => send(`{__typename}#${index}${WIDE}`) },
  {
    name: 'operations of one document',
    caches: [DOCUMENTS, COSTS],
    requests: 120 * OPERATIONS,
    create: (index) => {
      const query = repeat(OPERATIONS, (each) => `query Q${each}{a${Math.floor(index / OPERATIONS)}:__typename}`);
      return { body: JSON.stringify({ query, operationName: `Q${index % OPERATIONS}` }) };
    },
  },
  {
    name: 'queries of many selections',
    caches: [DOCUMENTS, COSTS, COMPILED],
    requests: 100 * COMPILED_AFTER,
    create: (index) => send(`{${repeat(60, (each) => `a${each}:viewer{b${Math.floor(index / COMPILED_AFTER)}:scopes}`)}}`, {}, KEY),
  },
  {
    name: 'queries of an interface',
    caches: [DOCUMENTS, COSTS, COMPILED],
    requests: 100 * COMPILED_AFTER,
    create: (index) => send(`{nodes(ids:[]){${repeat(120, (each) => `a${each}x${Math.floor(index / COMPILED_AFTER)}:id`)}}}`, {}, KEY),
  },
  {
    name: 'parts of the schema',
    caches: [DOCUMENTS, SCHEMA],
    requests: 100,
    create: (index) => send(`{__schema{types{fields{args{n${index}:name}}}}}`),
  },
  {
    name: 'registered documents',
    caches: [DOCUMENTS, REGISTERED],
    requests: 150,
    create: (index) => {
      const query = `{__typename}#${index}${WIDE}`;
      const sha256Hash = createHash('sha256').update(query).digest('hex');
      return { body: JSON.stringify({ query, extensions: { persistedQuery: { version: 1, sha256Hash } } }) };
    },
  },
  {
    name: 'headers',
    caches: [HEADERS],
    requests: 250,
    create: (index) => ({
      ...send('{__schema{types{name}}}'),
      headers: {
        accept: `application/json, ${repeat(400, (each) => `a/b${index}x${each},`)} text/x`,
        'accept-encoding': `${repeat(400, (each) => `c${index}x${each},`)} gzip`,
      },
    }),
  },
  {
    name: 'invented API keys',
    caches: [KEYS],
    requests: 11_000,
    create: (index) => send('{viewer{scopes}}', {}, { authorization: `Bearer no-${index}` }),
  },
  {
    name: 'searches for many customers',
    caches: [READS],
    requests: 4_200,
    create: (index) => {
      const ids = Array.from({ length: 100 }, (_, each) => `00000000-0000-4000-8000-${String(index * 100 + each).padStart(12, '0')}`);
      return send('query($ids:[ID!]){quoteSearch(filter:{customerIds:$ids}){nodes{__typename}}}', { ids }, KEY);
    },
  },
];
