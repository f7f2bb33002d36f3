export { cacheConfig } from './cacheConfig.ts';
export { idempotencyLink } from './idempotencyLink.ts';
