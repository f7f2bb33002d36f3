import { isRedisUrl } from '../src/ledger/ledgerUrl.ts';
import { serveGraph } from '../src/server/serve.ts';
import { type Environment, readConfig } from '../src/server/settings/config.ts';
import type { OpenGraph } from './bulk/graphClient.ts';

/** Settings for a single client of this process, whose documents and amount of data its author chose. */
const SETTINGS: Environment = {
  HOST: '127.0.0.1',
  PORT: '0',
  ADMIN_PORT: '',
  LOG_LEVEL: 'error',
  GRAPHIQL: 'false',
  MCP: 'false',
  LIVE: 'off',
  TRUSTED_DOCUMENTS: '',
  TRUSTED_DOCUMENTS_MODE: '',
  APQ: '',
  SUBGRAPH_RENAME: '',
  SUBGRAPH_TYPE_PREFIX: '',
  DOCUMENT_CACHE_MB: '8',
  MAX_RESPONSE_BYTES: String(256 * 1024 ** 2),
  // The command shares its thread.
  MAX_EVENT_LOOP_DELAY_MS: '60000',
  SHUTDOWN_DRAIN_MS: '0',
};

/** Starts a graph for a command, with the upstream's settings of the environment. If its ledger is in Redis, the rate limit is shared with other graphs. */
export async function startForCommand(env: Environment): Promise<OpenGraph> {
  const { UPSTREAM_URL: upstreamUrl, LEDGER_URL: ledger } = readConfig(env);
  const app = await serveGraph({ ...env, ...SETTINGS, LEDGER_URL: isRedisUrl(ledger) ? ledger : 'file::memory:' });
  return { url: `${app.url}/graphql`, upstreamUrl, close: () => app.close() };
}
