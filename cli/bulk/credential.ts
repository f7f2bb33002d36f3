import { isJsonObject, parseJson } from '../../src/lib/json.ts';
import { StartError } from '../../src/lib/startup.ts';
import { decodeUtf8, readTextFile } from '../../src/lib/utf8.ts';

/** Reads the API key or access token of a command. It can't be an argument, because other users of the machine can see arguments. */
export function readCredential(keyFile: string | undefined, { WORKSPACE_API_KEY }: Readonly<Record<string, string | undefined>>): string {
  let credential = WORKSPACE_API_KEY;
  try {
    if (keyFile !== undefined) credential = readTextFile(keyFile);
  } catch (error) {
    throw new StartError(`Can’t read ${keyFile} (--key-file): ${(error as NodeJS.ErrnoException).code}. Specify a readable file.`);
  }
  const trimmed = credential?.trim();
  if (!trimmed) throw new StartError('Missing API key. Set WORKSPACE_API_KEY, or pass --key-file.');
  return trimmed;
}

/** Three parts in base64url, of which the second one has the claims. Source: RFC 7515, 7.1. */
const JSON_WEB_TOKEN = /^[\w-]+\.([\w-]+)\.[\w-]+$/;

/** What identifies the caller to files of earlier runs: the API key, or the account of an access token, because tokens are renewed. */
export function getCaller(credential: string): string {
  const [, payload = ''] = JSON_WEB_TOKEN.exec(credential) ?? [];
  const claims = parseJson(decodeUtf8(Buffer.from(payload, 'base64url')) ?? '');
  return isJsonObject(claims) ? JSON.stringify([claims.iss, claims.sub]) : credential;
}
