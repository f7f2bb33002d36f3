import { WRITES } from '../tools/writes.ts';
import { INTROSPECTION } from './documents/introspection.ts';
import { TRUST_MODES } from './documents/trustedDocuments.ts';
import {
  callAddress,
  flag,
  type Kind,
  ledgerAddress,
  listOf,
  oneOf,
  optional,
  overlayFile,
  renameRules,
  secret,
  tagRules,
  text,
  toolPrefix,
  typePrefix,
  wholeNumber,
} from './settingKinds.ts';

/** Another default of a setting, where another variable has a value: this one, or any. */
interface DefaultWhere {
  readonly variable: string;
  readonly is?: string;
  readonly default: string;
}

/** A setting that another one needs: where the one has the value `where`, `variable` must be `is`, or be given at all. */
export interface Need {
  readonly where: string;
  readonly variable: string;
  readonly is?: string;
}

/** A setting of the graph: a line of the table from which the configuration, its checks and docs/configuration.md follow. */
export interface Setting<Value> {
  readonly group: Group;
  readonly kind: Kind<Value>;
  /** Text of the value where none is given; empty for none. */
  readonly default: string;
  /** Words for the default, where it is not a text that could be given. */
  readonly defaultTold?: string;
  readonly defaultWhere?: DefaultWhere;
  readonly needs?: Need;
  /** Sentence that says what the setting does. Markdown, with links from docs/. */
  readonly description: string;
}

/** Headings of the page, in its order. */
export const GROUPS = [
  'Listening',
  'The upstream',
  'Limits of an operation',
  'Limits of the process',
  'Speed',
  'Idempotency keys',
  'Documents and the schema',
  'Tools for agents',
  'Supergraphs',
  'Running',
] as const;
export type Group = (typeof GROUPS)[number];

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const inProduction = (value: string): DefaultWhere => ({ variable: 'NODE_ENV', is: 'production', default: value });

/** The settings of the graph by the environment variables that hold them. Each is told once: here. */
export const SETTINGS = {
  HOST: { group: 'Listening', kind: text, default: '127.0.0.1', description: 'Address of this machine that the graph listens on.' },
  PORT: {
    group: 'Listening',
    kind: wholeNumber(0, 65_535),
    default: '4000',
    description: 'Port that the graph listens on; 0 takes any free one.',
  },
  ADMIN_PORT: {
    group: 'Listening',
    kind: optional(wholeNumber(0, 65_535)),
    default: '',
    description:
      'Port of [`/metrics`, `/livez` and `/readyz`](telemetry.md#metrics); 0 takes any free one. Without it, nothing is measured.',
  },
  ADMIN_HOST: {
    group: 'Listening',
    kind: text,
    default: '127.0.0.1',
    description: 'Address of this machine that `ADMIN_PORT` is on. Callers need no key there, so it is for the inner network only.',
  },
  CORS_ORIGINS: {
    group: 'Listening',
    kind: listOf('origins'),
    default: '',
    description: 'Origins of the pages that browsers may call the graph from.',
  },

  UPSTREAM_URL: {
    group: 'The upstream',
    kind: callAddress,
    default: 'http://127.0.0.1:4010',
    description: 'Base address of the upstream. `npm start` ignores it and uses its own sandbox.',
  },
  CONTRACT_OVERLAY: {
    group: 'The upstream',
    kind: overlayFile,
    default: '',
    description:
      'File that corrects [what the contract assumes](overlay.md): names of services, operations, fields and enum words, and sizes of pages. `npm start` ignores it, since its own sandbox keeps to the contract.',
  },
  // A little above the 30 s that the upstream itself waits before it gives a call up.
  UPSTREAM_TIMEOUT_MS: {
    group: 'The upstream',
    kind: wholeNumber(1, 600_000, 'ms'),
    default: '35000',
    description: 'Time that a call may take, with all that it waits for and is sent again.',
  },
  // Measured: at 10 ms of latency a wide fan-out gains up to here.
  UPSTREAM_CONNECTIONS: {
    group: 'The upstream',
    kind: wholeNumber(1, 10_000),
    default: '128',
    description: 'Connections to the upstream.',
  },
  UPSTREAM_SEPARATE_CONNECTIONS: {
    group: 'The upstream',
    kind: flag,
    default: 'false',
    description:
      'Whether no two API keys share a connection, so that [an upstream that answers twice](security.md#an-upstream-that-answers-twice) never answers one key with what another asked for. Each key opens its own, up to `UPSTREAM_CONNECTIONS`; those that are idle close after some seconds.',
  },
  UPSTREAM_MAX_CONCURRENT_CALLS_PER_KEY: {
    group: 'The upstream',
    kind: optional(wholeNumber(1, 10_000)),
    default: '',
    defaultTold: 'half of `UPSTREAM_CONNECTIONS`',
    description: 'Calls that an API key may have under way; more wait for their turn.',
  },
  UPSTREAM_MAX_CONCURRENT_CALLS_PER_SERVICE: {
    group: 'The upstream',
    kind: optional(wholeNumber(1, 10_000)),
    default: '',
    defaultTold: 'three quarters of `UPSTREAM_CONNECTIONS`',
    description: 'Calls to a service of the upstream that may be under way, so that a slow one never holds all connections.',
  },
  // The 30 s in which the upstream starts a query or gives it up, and the 15 s for which one may run.
  UPSTREAM_ANALYTICS_TIMEOUT_MS: {
    group: 'The upstream',
    kind: wholeNumber(1, 600_000, 'ms'),
    default: '45000',
    description: 'Time that [a query of analytics](analytics.md) may take, with all that it waits for. None is sent again.',
  },
  UPSTREAM_ANALYTICS_MAX_CONCURRENT_CALLS: {
    group: 'The upstream',
    kind: optional(wholeNumber(1, 10_000)),
    default: '',
    defaultTold: 'an eighth of `UPSTREAM_CONNECTIONS`',
    description: 'Queries of analytics that may be under way, so that a page of figures does not keep other calls waiting.',
  },
  UPSTREAM_ANALYTICS_MAX_CONCURRENT_CALLS_PER_KEY: {
    group: 'The upstream',
    kind: wholeNumber(1, 10_000),
    default: '4',
    description: 'Queries of analytics that an API key may have under way; more wait for their turn.',
  },
  UPSTREAM_BREAKER: {
    group: 'The upstream',
    kind: flag,
    default: 'true',
    description: 'Whether a service that fails half of the time is left alone for some seconds.',
  },

  // Ours: a page of 100 records with all that each leads to once.
  UPSTREAM_CALLS_PER_REQUEST: {
    group: 'Limits of an operation',
    kind: wholeNumber(1, 1_000_000),
    default: '500',
    description: 'Upstream calls that a request may make; those past it fail with `QUERY_TOO_EXPENSIVE`.',
  },
  // Ours: far above the calls of a request, since records that are asked for twice count twice here and are read once.
  COST_LIMIT: {
    group: 'Limits of an operation',
    kind: wholeNumber(1, 1_000_000_000),
    default: '10000',
    description:
      'Upstream calls that an operation may take, as if every record were another one; an operation that may take more is refused before it makes any.',
  },
  // Ours: a page of 100 records with pages of 100 in each, of ten fields, is a tenth of it.
  MAX_RESPONSE_BYTES: {
    group: 'Limits of an operation',
    kind: wholeNumber(1_024, 1_024 ** 3, 'bytes'),
    default: String(16 * 1024 ** 2),
    description: 'JSON that an operation may answer; past it the operation is refused, or ends at the part that does not fit.',
  },

  // Ours: eight for each connection to the upstream. More would only wait for one another.
  MAX_CONCURRENT_REQUESTS: {
    group: 'Limits of the process',
    kind: wholeNumber(1, 1_000_000),
    default: '1024',
    description: 'GraphQL requests that may run at a time; more are answered 503.',
  },
  // Ours: a pause to collect garbage, or a large document, is far shorter.
  MAX_EVENT_LOOP_DELAY_MS: {
    group: 'Limits of the process',
    kind: wholeNumber(1, 600_000, 'ms'),
    default: '500',
    description:
      'Time that the turn of the event loop which a request falls into may take, on average over a second, before requests are answered 503.',
  },
  // Ours: some thousand documents like the examples, more than an application has.
  DOCUMENT_CACHE_MB: {
    group: 'Limits of the process',
    kind: wholeNumber(1, 4_096, 'MB'),
    default: '32',
    description:
      'Memory that parsed documents may take; compiled queries may take as much again ([all that is held](reliability.md#what-is-held-in-memory-at-most)).',
  },

  LIST_BATCHING: {
    group: 'Speed',
    kind: oneOf(['on', 'off']),
    default: 'on',
    description:
      'Whether pages of a list may answer for many records that are asked for by id, where that [takes fewer calls](decisions/0016-covers.md).',
  },
  READ_CACHE_MS: {
    group: 'Speed',
    kind: wholeNumber(0, 60_000, 'ms'),
    default: '0',
    description:
      'Time for which the answer to a read serves further requests of the same API key; a change by that key ends it, and changes by others show that much later. 0 keeps none.',
  },
  COALESCE_QUERIES: {
    group: 'Speed',
    kind: flag,
    default: 'false',
    description:
      'Whether a query that is asked several times at once, by one API key and word for word, is executed once. `extensions.cost` then tells of that execution.',
  },
  // Ours: to compile an operation takes as long as some dozen executions.
  COMPILE_AFTER: {
    group: 'Speed',
    kind: wholeNumber(0, 1_000_000),
    default: '3',
    description: 'Executions of a query before it is compiled; 0 compiles none.',
  },
  FAST_PATH: {
    group: 'Speed',
    kind: flag,
    default: 'true',
    description: 'Whether plain requests, POSTs of JSON, go past the fetch API. Nothing but the speed differs.',
  },

  LEDGER_URL: {
    group: 'Idempotency keys',
    kind: ledgerAddress,
    default: 'file:data/ledger.sqlite',
    description:
      'Place where idempotency keys are kept: a `file:`, which the processes of a host may share, or `redis://` or `rediss://` for several hosts. Redis must write before it answers: `appendonly yes`, `appendfsync always`, `maxmemory-policy noeviction`. Under `npm start` they are in memory, unless the sandbox keeps its data.',
  },

  GRAPHIQL: {
    group: 'Documents and the schema',
    kind: flag,
    default: 'true',
    defaultWhere: inProduction('false'),
    description: 'Whether `GET /graphql` in a browser opens GraphiQL.',
  },
  GRAPHIQL_KEY: {
    group: 'Documents and the schema',
    kind: text,
    default: '',
    description: 'API key that GraphiQL begins with, for whoever opens it: none but a key of demo data. `npm start` puts one there.',
  },
  // Ours: nobody has a good reason to explore the schema in production.
  INTROSPECTION: {
    group: 'Documents and the schema',
    kind: oneOf(INTROSPECTION),
    default: 'true',
    defaultWhere: inProduction('false'),
    description: 'Whether the schema is told; `sdl` tells it [to composers only](security.md#in-production).',
  },
  TRUSTED_DOCUMENTS: {
    group: 'Documents and the schema',
    kind: optional({ ...text, form: 'path of a JSON file' }),
    default: '',
    description: 'File of [documents by their ids](security.md#trusted-documents).',
  },
  TRUSTED_DOCUMENTS_MODE: {
    group: 'Documents and the schema',
    kind: oneOf(TRUST_MODES),
    default: 'also',
    defaultWhere: { variable: 'TRUSTED_DOCUMENTS', default: 'only' },
    needs: { where: 'only', variable: 'TRUSTED_DOCUMENTS' },
    description: 'Whether `only` trusted documents are executed, or others `also`.',
  },
  APQ: {
    group: 'Documents and the schema',
    kind: flag,
    default: 'false',
    needs: { where: 'true', variable: 'TRUSTED_DOCUMENTS_MODE', is: 'also' },
    description: "Whether documents are kept under their hashes, as Apollo's automatic persisted queries want it.",
  },
  RAW_RECORDS: {
    group: 'Documents and the schema',
    kind: flag,
    default: 'false',
    description: 'Whether records can be read unprocessed, as `upstreamRecord`. Unsupported: the upstream can change them without notice.',
  },

  MCP: {
    group: 'Tools for agents',
    kind: flag,
    default: 'false',
    description:
      'Whether `/mcp` serves [tools for agents](agents.md) over the Model Context Protocol. Needs the optional dependency `@modelcontextprotocol/server`.',
  },
  MCP_WRITES: {
    group: 'Tools for agents',
    kind: oneOf(WRITES),
    default: 'none',
    description:
      'Whether tools may change anything: `none` lists those that read only; with `confirm` a change answers a plan, which a second call confirms; `direct` makes it at once.',
  },
  MCP_SECRET: {
    group: 'Tools for agents',
    kind: secret,
    default: '',
    defaultTold: 'made anew by each process',
    description: 'Secret that plans are signed with. Processes that serve the same agents need the same one.',
  },
  MCP_PREFIX: {
    group: 'Tools for agents',
    kind: toolPrefix,
    default: 'svc',
    description: 'Word that the names of all tools begin with, as in `svc_find_customer`.',
  },
  MCP_DOCUMENTS: {
    group: 'Tools for agents',
    kind: optional({ ...text, form: 'path of a folder' }),
    default: '',
    defaultTold: 'those that come with the graph',
    description: 'Folder of the documents that are [the tools](agents.md#tools-of-your-own).',
  },
  MCP_HOSTS: {
    group: 'Tools for agents',
    kind: listOf('host names'),
    default: '',
    defaultTold: "this machine's names where `HOST` is one of them, else any",
    description: 'Hosts that requests to `/mcp` may name, and the pages that may send them.',
  },
  // Ours: some 16,000 tokens, which a host shows to its model whole.
  MCP_MAX_RESULT_BYTES: {
    group: 'Tools for agents',
    kind: wholeNumber(2_048, 245_760, 'bytes'),
    default: String(64 * 1024),
    description: 'Length of an answer of a tool, from which on its longest lists are cut.',
  },

  SUBGRAPH_NODE: {
    group: 'Supergraphs',
    kind: flag,
    default: 'false',
    description:
      'Whether `Query.node` and `Query.nodes` are part of the subgraph: [only one subgraph can have them](supergraph.md#settings).',
  },
  SUBGRAPH_REQUIRES_SCOPES: {
    group: 'Supergraphs',
    kind: flag,
    default: 'false',
    description: 'Whether fields carry `@requiresScopes`, for routers that know the scopes of the caller.',
  },
  SUBGRAPH_TAGS: {
    group: 'Supergraphs',
    kind: tagRules,
    default: '',
    description:
      'Further `@tag`s by coordinate, [to cut contracts by](supergraph.md#tags-and-contracts), such as `Query.customer*=public,Customer=public`; `*` stands for any letters.',
  },
  SUBGRAPH_RENAME: {
    group: 'Supergraphs',
    kind: renameRules,
    default: '',
    description:
      'Other names for types and root fields, such as `Order=WorkspaceOrder,Query.viewer=workspaceViewer` ([how](supergraph.md#names)).',
  },
  SUBGRAPH_TYPE_PREFIX: {
    group: 'Supergraphs',
    kind: typePrefix,
    default: '',
    description: 'Prefix of the names of all types but entities, `Node`, `PageInfo`, scalars, and those that `SUBGRAPH_RENAME` names.',
  },

  NODE_ENV: {
    group: 'Running',
    kind: text,
    default: '',
    description: '`production` changes the defaults of `GRAPHIQL`, `INTROSPECTION` and `SHUTDOWN_DRAIN_MS`.',
  },
  LOG_LEVEL: {
    group: 'Running',
    kind: oneOf(LOG_LEVELS),
    default: 'info',
    description: 'Least level of the lines that are logged. `npm start` logs from `warn` on.',
  },
  // Ours, in production: a balancer that asks for the health every two seconds sees it twice.
  SHUTDOWN_DRAIN_MS: {
    group: 'Running',
    kind: wholeNumber(0, 600_000, 'ms'),
    default: '0',
    defaultWhere: inProduction('5000'),
    description:
      'Time after SIGTERM for which new connections are still accepted, while `/health/ready` says 503: until balancers have seen it.',
  },
  // Ours: above the times that calls may take, so that none is cut off.
  SHUTDOWN_TIMEOUT_MS: {
    group: 'Running',
    kind: wholeNumber(0, 600_000, 'ms'),
    default: '50000',
    description: 'Time that SIGTERM waits after that for requests that run.',
  },
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
