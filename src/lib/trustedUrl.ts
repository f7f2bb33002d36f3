const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether traffic to a URL can’t be intercepted: it’s encrypted, or stays on this machine. */
export function isTrustedUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}
