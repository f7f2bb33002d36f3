import { EnvHttpProxyAgent } from 'undici';

/** A proxy, to which https requests are sent with CONNECT. Others are sent directly, because a proxy could read their credentials. */
export interface HttpProxy {
  /** Can contain a user name and a password. */
  readonly url: string;
  /** Hosts that are requested directly, as in the variable NO_PROXY. */
  readonly except: string;
}

/** Creates a dispatcher for requests with absolute URLs. Doesn't read the environment: an empty string is no proxy, and undefined would be that of the environment. */
export const createProxyAgent = ({ url, except }: HttpProxy, options: EnvHttpProxyAgent.Options = {}): EnvHttpProxyAgent =>
  new EnvHttpProxyAgent({ ...options, httpProxy: '', httpsProxy: url, noProxy: except });

/** Describes why a text isn't the URL of a proxy, without repeating it, because it can contain a password. Undefined if it is. */
export function findProxyProblem(text: string): string | undefined {
  if (URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)) return undefined;
  return 'must be the http or https URL of a proxy, such as http://proxy.example:3128.';
}
