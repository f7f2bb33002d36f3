import type { CallToolResult } from '@modelcontextprotocol/server';
import type { GraphQLFormattedError } from 'graphql';

/** The body of a result: its structured content, and its text as JSON. */
export interface ResultBody {
  readonly [member: string]: unknown;
}

/** A list that was shortened. */
interface Truncation {
  readonly path: string;
  readonly shown: number;
  readonly of: number;
}

/** Bytes of a body in a response, which contains it as JSON and as a string of JSON. */
function countBytes(body: unknown): number {
  const json = JSON.stringify(body);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/** Bytes reserved for the list of shortened lists. */
const REPORT_BYTES = 1_024;
/** Maximum number of lists that are shortened. */
const MAX_TRUNCATIONS = 8;

interface List {
  readonly path: readonly (string | number)[];
  readonly entries: unknown[];
  readonly bytes: number;
}

/** The lists within a value that have more than one entry. */
function* findLists(value: unknown, path: readonly (string | number)[] = []): Generator<List> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.length > 1) yield { path, entries: value, bytes: countBytes(value) };
  for (const [name, member] of Object.entries(value)) yield* findLists(member, [...path, Array.isArray(value) ? Number(name) : name]);
}

const findLargest = (lists: Iterable<List>): List | undefined =>
  [...lists].reduce<List | undefined>((most, list) => (most === undefined || list.bytes > most.bytes ? list : most), undefined);

/** A body of at most `maxBytes`: the largest lists are shortened from their ends, and `truncated` lists them. Null if that isn't enough. */
function truncateToFit(body: ResultBody, maxBytes: number): ResultBody | null {
  if (countBytes(body) <= maxBytes) return body;
  const copy = structuredClone(body) as Record<string, unknown>;
  const truncations = new Map<string, Truncation>();
  while (countBytes(copy) > maxBytes - REPORT_BYTES) {
    const list = findLargest(findLists(copy));
    if (!list) return null;
    const path = list.path.join('.');
    const of = truncations.get(path)?.of ?? list.entries.length;
    if (!truncations.has(path) && truncations.size >= MAX_TRUNCATIONS) return null;
    list.entries.length = Math.floor(list.entries.length / 2);
    truncations.set(path, { path, shown: list.entries.length, of });
  }
  const advice = 'The response was too large, so these lists were truncated. Request smaller pages or less data.';
  return { ...copy, truncated: { lists: [...truncations.values()], advice } };
}

/** Hosts read either form: those that don't support structured content, and those of the protocol before 2025-06-18, only the text. */
const toResult = (body: ResultBody, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(body) }],
  structuredContent: body,
  ...(isError && { isError }),
});

/** The result of a call that failed as a whole. */
export const createErrorResult = (errors: readonly ResultBody[]): CallToolResult => toResult({ errors }, true);

/** The result of a call. Shortened if it's larger than `maxBytes`. */
export function createResult(body: ResultBody, maxBytes: number, isError = false): CallToolResult {
  const fitting = truncateToFit(body, maxBytes);
  if (fitting) return toResult(fitting, isError);
  const message = `The response exceeds ${maxBytes} bytes and has no list that can be truncated further. Request less data.`;
  return createErrorResult([{ code: 'ANSWER_TOO_LARGE', message }]);
}

/** The result of a write that was executed. If it's too large, it still isn't an error: the caller might repeat the write. */
export function createWriteResult(body: ResultBody, maxBytes: number): CallToolResult {
  const message = `The mutation succeeded, but its response exceeds ${maxBytes} bytes and was omitted. Query the records instead.`;
  return toResult(truncateToFit(body, maxBytes) ?? { done: true, message }, false);
}

/** A GraphQL error in a result. */
export const toErrorBody = ({ message, path, extensions: { http, ...extensions } = {} }: GraphQLFormattedError): ResultBody => ({
  message,
  ...(path && { path: path.join('.') }),
  ...extensions,
});
