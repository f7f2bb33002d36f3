import type { IncomingMessage } from 'node:http';
import { isUtf8, parseEntries } from './accept.ts';

/** Media type of requests with JSON in UTF-8, after `normalizeContentType`. */
export const JSON_TYPE = 'application/json';

const JSON_TYPES: ReadonlySet<string> = new Set([JSON_TYPE, 'application/graphql+json']);

/**
 * Replaces a Content-Type header for JSON in UTF-8 by `application/json`, in whatever case and with whatever parameters it was sent, so that all code paths accept
 * the same types. Other headers, and lists of types, remain and are rejected.
 */
export function normalizeContentType({ headers }: IncomingMessage): void {
  const sent = headers['content-type'];
  if (sent === undefined || sent === JSON_TYPE) return;
  const [type, ...others] = parseEntries(sent);
  if (type && others.length === 0 && JSON_TYPES.has(type.name) && isUtf8(type)) headers['content-type'] = JSON_TYPE;
}
