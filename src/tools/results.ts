import type { CallToolResult } from '@modelcontextprotocol/server';
import type { GraphQLFormattedError } from 'graphql';

/** The body of a result: its structured content, and its text as JSON. */
export interface ResultBody {
  readonly [member: string]: unknown;
}

/** A list that was shortened. */
interface Cut {
  readonly path: string;
  readonly shown: number;
  readonly of: number;
}

/** Bytes of a body in a response, which contains it as JSON and as a string of JSON. */
function bytesOf(body: unknown): number {
  const json = JSON.stringify(body);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/** Bytes reserved for the list of shortened lists. */
const REPORT_BYTES = 1_024;
/** Maximum number of lists that are shortened. */
const MAX_CUTS = 8;

interface List {
  readonly path: readonly (string | number)[];
  readonly entries: unknown[];
  readonly bytes: number;
}

/** The lists within a value that have more than one entry. */
function* listsIn(value: unknown, path: readonly (string | number)[] = []): Generator<List> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.length > 1) yield { path, entries: value, bytes: bytesOf(value) };
  for (const [name, member] of Object.entries(value)) yield* listsIn(member, [...path, Array.isArray(value) ? Number(name) : name]);
}

const largest = (lists: Iterable<List>): List | undefined =>
  [...lists].reduce<List | undefined>((most, list) => (most === undefined || list.bytes > most.bytes ? list : most), undefined);

/** A body of at most `maxBytes`: the largest lists are shortened from their ends, and `truncated` lists them. Null if that isn't enough. */
function fitted(body: ResultBody, maxBytes: number): ResultBody | null {
  if (bytesOf(body) <= maxBytes) return body;
  const copy = structuredClone(body) as Record<string, unknown>;
  const cuts = new Map<string, Cut>();
  while (bytesOf(copy) > maxBytes - REPORT_BYTES) {
    const list = largest(listsIn(copy));
    if (!list) return null;
    const path = list.path.join('.');
    const of = cuts.get(path)?.of ?? list.entries.length;
    if (!cuts.has(path) && cuts.size >= MAX_CUTS) return null;
    list.entries.length = Math.floor(list.entries.length / 2);
    cuts.set(path, { path, shown: list.entries.length, of });
  }
  const advice = 'The response was too large, so these lists were truncated. Request smaller pages or less data.';
  return { ...copy, truncated: { lists: [...cuts.values()], advice } };
}

/** Hosts read either form: those that don't support structured content, and those of the protocol before 2025-06-18, only the text. */
const toResult = (body: ResultBody, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(body) }],
  structuredContent: body,
  ...(isError && { isError }),
});

/** The result of a call that failed as a whole. */
export const errorResult = (errors: readonly ResultBody[]): CallToolResult => toResult({ errors }, true);

/** The result of a call. Shortened if it's larger than `maxBytes`. */
export function resultOf(body: ResultBody, maxBytes: number, isError = false): CallToolResult {
  const fitting = fitted(body, maxBytes);
  if (fitting) return toResult(fitting, isError);
  const message = `The response exceeds ${maxBytes} bytes and has no list that can be truncated further. Request less data.`;
  return errorResult([{ code: 'ANSWER_TOO_LARGE', message }]);
}

/** The result of a write that was executed. If it's too large, it still isn't an error: the caller might repeat the write. */
export function writeResult(body: ResultBody, maxBytes: number): CallToolResult {
  const message = `The mutation succeeded, but its response exceeds ${maxBytes} bytes and was omitted. Query the records instead.`;
  return toResult(fitted(body, maxBytes) ?? { done: true, message }, false);
}

/** A GraphQL error in a result. */
export const errorBody = ({ message, path, extensions: { http, ...extensions } = {} }: GraphQLFormattedError): ResultBody => ({
  message,
  ...(path && { path: path.join('.') }),
  ...extensions,
});
