import { hash } from 'node:crypto';

/** What an API key is held as, wherever something is remembered for it: its sha256. */
export const credentialOf = (apiKey: string): string => hash('sha256', apiKey, 'base64url');
