import { DEFAULT_LEDGER_URL } from '../../ledger/ledgerUrl.ts';
import { WRITE_MODES } from '../../tools/writeMode.ts';
import { INTROSPECTION } from '../documents/introspection.ts';
import { TRUST_MODES } from '../documents/trustedDocuments.ts';
import {
  documentsFile,
  environment,
  flag,
  hostNames,
  integer,
  ledgerUrl,
  oneOf,
  optional,
  origins,
  overlayFile,
  proxyUrl,
  renameRules,
  secret,
  tagRules,
  text,
  typePrefix,
  upstreamUrl,
} from './settingKinds.ts';
import type { DefaultWhere, Setting } from './settingTypes.ts';
import { SIGN_IN_SETTINGS } from './signInSettings.ts';

/** The settings of live updates. */
const LIVE_SETTINGS = {
  LIVE: {
    group: 'Live updates',
    kind: oneOf(['on', 'off']),
    default: 'off',
    description:
      'Enables the subscription `recordsChanged`, which signals [changed records](live.md). If `LEDGER_URL` is in Redis, changes by other replicas are signaled, too. Set to `on` by `npm start`.',
  },
  // Chosen: an hour is longer than a subscription lasts.
  LIVE_POLL_SECONDS: {
    group: 'Live updates',
    kind: integer(0, 3_600),
    default: '0',
    description:
      'Seconds between two polls of an analytics index for [changes that were made elsewhere](live.md#changes-made-elsewhere). Each costs one upstream call per type and workspace while there are subscriptions. 0 disables polling.',
  },
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const createProductionDefault = (value: string): DefaultWhere => ({ variable: 'NODE_ENV', is: 'production', default: value });

/** The settings of the graph, by environment variable. */
export const SETTINGS = {
  HOST: {
    group: 'Server',
    kind: text,
    default: '127.0.0.1',
    description: 'Network interface to listen on. `::` is all of them, with IPv6 and IPv4.',
  },
  PORT: {
    group: 'Server',
    kind: integer(0, 65_535),
    default: '4000',
    description: 'Port to listen on. 0 picks a free port.',
  },
  ADMIN_PORT: {
    group: 'Server',
    kind: optional(integer(0, 65_535)),
    default: '',
    description: 'Port of [`/metrics` and health checks](telemetry.md#metrics). 0 picks a free port. If unset, metrics are disabled.',
  },
  ADMIN_HOST: {
    group: 'Server',
    kind: text,
    default: '127.0.0.1',
    description: 'Network interface for `ADMIN_PORT`. Don’t expose it publicly, because its endpoints don’t require authentication.',
  },
  CORS_ORIGINS: {
    group: 'Server',
    kind: origins,
    default: '',
    description:
      'Origins whose pages can call the graph from a browser (CORS), such as `https://app.example`, in the form that browsers send: without a path or trailing slash.',
  },

  UPSTREAM_URL: {
    group: 'Upstream',
    kind: upstreamUrl,
    default: 'http://127.0.0.1:4010',
    description: 'Base URL of the upstream. Ignored by `npm start`, which uses its own sandbox.',
  },
  HTTPS_PROXY: {
    group: 'Upstream',
    kind: proxyUrl,
    default: '',
    alias: 'https_proxy',
    description:
      'HTTP proxy for https requests to the upstream and to the sign-in provider, and of the commands ([details](deployment.md#proxies)). It can contain a user name and a password. Also read from `https_proxy`.',
  },
  NO_PROXY: {
    group: 'Upstream',
    kind: text,
    default: '',
    alias: 'no_proxy',
    description:
      'Comma-separated hosts that are requested without `HTTPS_PROXY`: host names, which include their subdomains, and IP addresses, optionally with a port, or `*` for all. Also read from `no_proxy`.',
  },
  CONTRACT_OVERLAY: {
    group: 'Upstream',
    kind: overlayFile,
    default: '',
    description:
      'Path of an [overlay file](overlay.md) that corrects assumptions of the contract: names of services, operations, fields, enum values and analytics columns, and page sizes. Ignored by `npm start`, because its own sandbox follows the contract.',
  },
  // Slightly more than the 30 s after which the upstream itself aborts a call.
  UPSTREAM_TIMEOUT_MS: {
    group: 'Upstream',
    kind: integer(1, 600_000, 'ms'),
    default: '35000',
    description: 'Timeout of an upstream call, including queueing and retries.',
  },
  // Measured: at a latency of 10 ms, a wide fan-out gets faster up to this value.
  UPSTREAM_CONNECTIONS: {
    group: 'Upstream',
    kind: integer(1, 10_000),
    default: '128',
    description:
      'Maximum number of connections to the upstream. An API key can use half of them, and an upstream service three quarters. Analytics queries can use an eighth, and those of an API key four connections. Further calls are queued.',
  },
  UPSTREAM_SEPARATE_CONNECTIONS: {
    group: 'Upstream',
    kind: flag,
    default: 'false',
    description:
      'Uses separate connections for each API key, so that [response desynchronization](security.md#response-desynchronization) can’t return one key’s data to another key. Each key opens up to `UPSTREAM_CONNECTIONS` connections. Idle ones are closed after a few seconds.',
  },
  // The 30 s within which the upstream starts a query or rejects it, plus the 15 s for which a query can run.
  UPSTREAM_ANALYTICS_TIMEOUT_MS: {
    group: 'Upstream',
    kind: integer(1, 600_000, 'ms'),
    default: '45000',
    description: 'Timeout of an [analytics query](analytics.md), including queueing. Analytics queries aren’t retried.',
  },

  // Chosen: a page of 100 records with each of their references once.
  UPSTREAM_CALLS_PER_REQUEST: {
    group: 'Operation limits',
    kind: integer(1, 1_000_000),
    default: '500',
    description: 'Maximum number of upstream calls per request. Further calls fail with `QUERY_TOO_EXPENSIVE`.',
  },
  // Chosen: far above the calls of a request, because a record that is requested twice counts twice here but is read once.
  COST_LIMIT: {
    group: 'Operation limits',
    kind: integer(1, 1_000_000_000),
    default: '10000',
    description:
      'Maximum predicted cost of an operation in upstream calls, assuming that every record is distinct. More expensive operations are rejected before any upstream call.',
  },
  // Chosen: a page of 100 records with pages of 100 in each, with ten fields, is a tenth of it.
  MAX_RESPONSE_BYTES: {
    group: 'Operation limits',
    kind: integer(1_024, 1_024 ** 3, 'bytes'),
    default: String(16 * 1024 ** 2),
    description:
      'Maximum size of an operation’s response. An operation that is predicted to exceed it is rejected; one that exceeds it during execution fails at the part that doesn’t fit.',
  },

  // Chosen: eight per upstream connection. More would only queue.
  MAX_CONCURRENT_REQUESTS: {
    group: 'Process limits',
    kind: integer(1, 1_000_000),
    default: '1024',
    description: 'Maximum concurrent GraphQL requests. Further requests get 503.',
  },
  // Chosen: much longer than a garbage collection or a large document.
  MAX_EVENT_LOOP_DELAY_MS: {
    group: 'Process limits',
    kind: integer(1, 600_000, 'ms'),
    default: '500',
    description:
      'Maximum time-weighted event loop delay, averaged over one second. Requests get 503 after it is exceeded in two consecutive seconds, or in one if the upstream hasn’t accepted their API key yet, except [while the process warms up](security.md#overload).',
  },
  // Chosen: some thousand documents like the examples, more than an application has.
  DOCUMENT_CACHE_MB: {
    group: 'Process limits',
    kind: integer(1, 4_096, 'MB'),
    default: '32',
    description:
      'Maximum memory of the parsed-document cache. Compiled queries can use the same amount again ([all memory limits](reliability.md#memory-limits)).',
  },

  LIST_BATCHING: {
    group: 'Performance',
    kind: oneOf(['on', 'off']),
    default: 'on',
    description: 'Batches gets by ID through list pages if that [takes fewer calls](decisions/0016-covering-lists.md).',
  },
  SEARCH_ROWS: {
    group: 'Performance',
    kind: oneOf(['index', 'records']),
    default: 'index',
    description:
      'What searches return if the [analytics index](decisions/0016-covering-lists.md) has all selected fields: its rows, or records that are read by ID with one call each.',
  },
  READ_CACHE_MS: {
    group: 'Performance',
    kind: integer(0, 60_000, 'ms'),
    default: '0',
    description:
      'How long to cache read responses per API key. Writes with the same key invalidate its cached responses; writes by others, or through other processes, may take this long to become visible. 0 disables the cache.',
  },
  // Chosen: compiling an operation takes as long as some dozen executions.
  COMPILE_AFTER: {
    group: 'Performance',
    kind: integer(0, 1_000_000),
    default: '3',
    description: 'Number of executions after which a query is compiled. 0 disables compilation.',
  },
  FAST_PATH: {
    group: 'Performance',
    kind: flag,
    default: 'true',
    description: 'Serves plain JSON POST requests on a fast path that bypasses the Fetch API. Affects only speed.',
  },

  LEDGER_URL: {
    group: 'Idempotency keys',
    kind: ledgerUrl,
    default: DEFAULT_LEDGER_URL,
    description:
      'Where idempotency keys are stored: `file:`, which processes on the same host can share and whose folder must exist unless it’s the default, or `redis://` or `rediss://` for several hosts. Redis must persist every write before it responds: `appendonly yes`, `appendfsync always`, `maxmemory-policy noeviction`. At startup, and when they change, the graph logs which of these aren’t set, and which it can’t verify because Redis forbids `CONFIG`. `npm start` stores keys in memory, unless the sandbox persists its data.',
  },

  ...SIGN_IN_SETTINGS,

  GRAPHIQL: {
    group: 'Documents and schema',
    kind: flag,
    default: 'true',
    defaultWhere: createProductionDefault('false'),
    description: 'Serves GraphiQL at `GET /graphql` in a browser.',
  },
  GRAPHIQL_KEY: {
    group: 'Documents and schema',
    kind: text,
    default: '',
    description:
      'API key that GraphiQL uses by default. Anyone who opens the page can use it, so only set a key for demo data. Set by `npm start`.',
  },
  // Chosen: clients have no good reason to explore the schema in production.
  INTROSPECTION: {
    group: 'Documents and schema',
    kind: oneOf(INTROSPECTION),
    default: 'true',
    defaultWhere: createProductionDefault('false'),
    description: 'Enables introspection. `sdl` limits it to [federation composition](security.md#in-production).',
  },
  TRUSTED_DOCUMENTS: {
    group: 'Documents and schema',
    kind: documentsFile,
    default: '',
    description: 'File of [trusted documents](security.md#trusted-documents).',
  },
  TRUSTED_DOCUMENTS_MODE: {
    group: 'Documents and schema',
    kind: oneOf(TRUST_MODES),
    default: 'also',
    defaultWhere: { variable: 'TRUSTED_DOCUMENTS', default: 'only' },
    needs: [{ where: 'only', variable: 'TRUSTED_DOCUMENTS' }],
    description: 'Which documents are executed: `only` trusted documents, or `also` any other document.',
  },
  APQ: {
    group: 'Documents and schema',
    kind: flag,
    default: 'false',
    needs: [{ where: 'true', variable: 'TRUSTED_DOCUMENTS_MODE', is: 'also' }],
    description: 'Enables Apollo automatic persisted queries (APQ).',
  },

  ...LIVE_SETTINGS,

  MCP: {
    group: 'Agent tools',
    kind: flag,
    default: 'false',
    needs: [{ where: 'true', if: 'AUTH_ISSUER', variable: 'AUTH_RESOURCE' }],
    description:
      'Serves [agent tools](agents.md) at `/mcp` over the Model Context Protocol. Requires the package `@modelcontextprotocol/server`.',
  },
  MCP_WRITES: {
    group: 'Agent tools',
    kind: oneOf(WRITE_MODES),
    default: 'none',
    description:
      'How write tools behave: `none` hides them, `confirm` returns a plan that a second call must confirm, `direct` executes them immediately.',
  },
  MCP_SECRET: {
    group: 'Agent tools',
    kind: secret,
    default: '',
    defaultDescription: 'generated by each process',
    description: 'Secret for signing plans. Processes that serve the same agents must use the same secret.',
  },
  MCP_DOCUMENTS: {
    group: 'Agent tools',
    kind: optional({ ...text, form: 'path of a folder' }),
    default: '',
    defaultDescription: 'the documents of the package',
    description: 'Folder with the documents that define [the tools](agents.md#tools-of-your-own).',
  },
  MCP_HOSTS: {
    group: 'Agent tools',
    kind: hostNames,
    default: '',
    defaultDescription: 'loopback names if `HOST` is a loopback address, otherwise any host',
    description: 'Host names, without scheme and port, that are allowed in the `Host` and `Origin` headers of requests to `/mcp`.',
  },
  // Chosen: half of it is the text, some 16,000 tokens, which hosts pass to their models in full.
  MCP_MAX_RESULT_BYTES: {
    group: 'Agent tools',
    kind: integer(2_048, 245_760, 'bytes'),
    default: String(128 * 1024),
    description:
      'Maximum size of a tool result: text and structured content together. Larger results are truncated at their longest lists.',
  },

  SUBGRAPH_NODE: {
    group: 'Federation',
    kind: flag,
    default: 'false',
    description:
      'Includes `Query.node` and `Query.nodes` in the subgraph. In a supergraph, [only one subgraph can define them](supergraph.md#settings).',
  },
  SUBGRAPH_REQUIRES_SCOPES: {
    group: 'Federation',
    kind: flag,
    default: 'false',
    description: 'Adds `@requiresScopes` to fields, for routers that know the caller’s scopes.',
  },
  SUBGRAPH_TAGS: {
    group: 'Federation',
    kind: tagRules,
    default: '',
    description:
      'Additional `@tag` directives by coordinate, [for contract variants](supergraph.md#tags-and-contracts), such as `Query.customer*=public,Customer=public`. `*` matches any characters.',
  },
  SUBGRAPH_RENAME: {
    group: 'Federation',
    kind: renameRules,
    default: '',
    description:
      'Alternative names for types and root fields, such as `Order=WorkspaceOrder,Query.viewer=workspaceViewer` ([details](supergraph.md#names)).',
  },
  SUBGRAPH_TYPE_PREFIX: {
    group: 'Federation',
    kind: typePrefix,
    default: '',
    description: 'Prefix for all type names except entities, `Node`, `PageInfo`, scalars, and types in `SUBGRAPH_RENAME`.',
  },

  NODE_ENV: {
    group: 'Runtime',
    kind: environment,
    default: '',
    description:
      '`production` changes the defaults of `GRAPHIQL`, `INTROSPECTION` and `SHUTDOWN_DRAIN_MS`. Use it for every deployment that others can reach. Other names, such as `staging`, are rejected.',
  },
  LOG_LEVEL: {
    group: 'Runtime',
    kind: oneOf(LOG_LEVELS),
    default: 'info',
    description:
      'Minimum log level. `warn` turns off [the lines of requests](telemetry.md#logs), except for operations that failed because of the upstream. `npm start` uses `warn`.',
  },
  // Chosen for production: a load balancer that requests the health every two seconds sees the shutdown twice.
  SHUTDOWN_DRAIN_MS: {
    group: 'Runtime',
    kind: integer(0, 600_000, 'ms'),
    default: '0',
    defaultWhere: createProductionDefault('5000'),
    description:
      'How long to accept new connections after SIGTERM while `/health/ready` returns 503, so that load balancers can stop sending traffic.',
  },
  // Chosen: the last 4.5 s excluded, above the call timeouts, so that no call is cut off.
  SHUTDOWN_TIMEOUT_MS: {
    group: 'Runtime',
    kind: integer(0, 600_000, 'ms'),
    default: '50000',
    description:
      'Maximum duration of the shutdown after the drain period. In-flight requests have all but its last 4.5 s, which are for [closing](production.md#health-checks-and-graceful-shutdown).',
  },
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
