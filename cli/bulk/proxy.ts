import { findProxyProblem, type HttpProxy } from '../../src/lib/proxy.ts';
import { StartError } from '../../src/lib/startup.ts';
import type { Environment } from './command.ts';

/** The proxy of commands, which have no other settings of the graph. Undefined if none is set. Throws StartError for an invalid URL. */
export function readProxy(env: Environment): HttpProxy | undefined {
  const url = env.HTTPS_PROXY?.trim() || env.https_proxy?.trim();
  if (!url) return undefined;
  const problem = findProxyProblem(url);
  if (problem) throw new StartError(`HTTPS_PROXY ${problem}`);
  return { url, except: env.NO_PROXY?.trim() || env.no_proxy?.trim() || '' };
}
