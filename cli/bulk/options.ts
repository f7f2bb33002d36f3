import { StartError } from '../../src/lib/startup.ts';
import { isTrustedUrl } from '../../src/lib/trustedUrl.ts';
import type { ProgressForm } from './progress.ts';

/** Reads `--share`. Throws StartError if it isn't valid. */
export function parseShare(text: string): number {
  const share = Number(text);
  if (/^[01]?\.?\d*$/.test(text) && share >= 0.01 && share <= 1) return share;
  throw new StartError(`--share must be a number from 0.01 to 1, but is ${text}.`);
}

/** Reads `--url`, to which the credential is sent. Throws StartError if it could be intercepted. */
export function parseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return text;
  const { username, password } = URL.canParse(text) ? new URL(text) : { username: '', password: '' };
  if (username !== '' || password !== '')
    throw new StartError('--url must not contain a user name or password. Set WORKSPACE_API_KEY, or use --key-file.');
  if (isTrustedUrl(text)) return text;
  throw new StartError(`--url must be an https URL, or an http URL of this machine, but is ${text.includes('@') ? 'another text' : text}.`);
}

/** Reads `--progress`. Throws StartError if it isn't valid. */
export function parseProgress(text: string): ProgressForm {
  if (text === 'text' || text === 'json') return text;
  throw new StartError(`--progress must be text or json, but is ${text}.`);
}
