import { hash } from 'node:crypto';

/** Key hash: the SHA-256 of an API key. Everything that is stored for a key is stored under its hash. */
export const hashApiKey = (apiKey: string): string => hash('sha256', apiKey, 'base64url');
