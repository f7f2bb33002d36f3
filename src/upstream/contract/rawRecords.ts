import { isJsonObject } from '../../lib/json.ts';
import type { MessageFields } from './fields.ts';

/** Property of a decoded record with the JSON that it was decoded from. A symbol, so that copies made with a spread keep it and JSON omits it. */
export const RAW = Symbol('raw');

/** A record that may have the JSON that it was decoded from. */
export interface WithRaw {
  [RAW]?: object;
}

/** Attaches to a decoded message, and to every message in it, the JSON that it was decoded from. */
export function attachRaw({ fields }: MessageFields, json: object, decoded: WithRaw): void {
  decoded[RAW] = json;
  for (const [name, { message }] of Object.entries(fields)) {
    if (!message) continue;
    const from = (json as Readonly<Record<string, unknown>>)[name];
    const to = (decoded as Readonly<Record<string, unknown>>)[name];
    if (!Array.isArray(from)) attachIfMessage(message, from, to);
    else if (Array.isArray(to)) for (const [index, item] of from.entries()) attachIfMessage(message, item, to[index]);
  }
}

function attachIfMessage(message: MessageFields, json: unknown, decoded: unknown): void {
  if (isJsonObject(json) && isJsonObject(decoded)) attachRaw(message, json, decoded);
}
