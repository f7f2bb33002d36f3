import { LOOPBACK_HOSTS } from './loopback.ts';

/** Whether traffic to a URL can’t be intercepted: it’s encrypted, or stays on this machine. */
export function isTrustedUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname));
}
