import { hash } from 'node:crypto';

/** Key hash: the SHA-256 of an API key, under which all that is remembered for the key is kept. */
export const keyHashOf = (apiKey: string): string => hash('sha256', apiKey, 'base64url');
