import { createHash } from 'node:crypto';

/** What an API key is held as, wherever something is remembered for it: its sha256. */
export const credentialOf = (apiKey: string): string => createHash('sha256').update(apiKey).digest('base64url');
