export { type GraphcacheConfig, graphcacheConfig, newerFailuresExchange } from './graphcacheConfig.ts';
export { idempotencyExchange } from './idempotencyExchange.ts';
