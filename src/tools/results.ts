import type { CallToolResult } from '@modelcontextprotocol/server';
import type { GraphQLFormattedError } from 'graphql';
import { escapeLines } from '../lib/printableText.ts';

/** The body of a result: its structured content, and its text as JSON. */
export interface ResultBody {
  readonly [member: string]: unknown;
}

/** A truncated list. */
interface Truncation {
  readonly path: string;
  readonly shown: number;
  readonly of: number;
}

/** The text of a body. Hosts can display it, so hidden characters in texts of records are escaped. */
const toText = (body: unknown): string => escapeLines(JSON.stringify(body));

/** Size of a body in a response, which contains it as JSON and as a string of JSON. */
function countBytes(body: unknown): number {
  const json = toText(body);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/** Bytes reserved for the list of truncated lists. */
const REPORT_BYTES = 1_024;
/** Maximum number of truncated lists. */
const MAX_TRUNCATIONS = 8;

interface List {
  readonly path: readonly (string | number)[];
  readonly entries: unknown[];
  readonly bytes: number;
}

/** Finds the lists within a value that have more than one entry. */
function* findLists(value: unknown, path: readonly (string | number)[] = []): Generator<List> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.length > 1) yield { path, entries: value, bytes: countBytes(value) };
  for (const [name, member] of Object.entries(value)) yield* findLists(member, [...path, Array.isArray(value) ? Number(name) : name]);
}

const findLargest = (lists: Iterable<List>): List | undefined =>
  [...lists].reduce<List | undefined>((most, list) => (most === undefined || list.bytes > most.bytes ? list : most), undefined);

/** Truncates a body to `maxBytes`: removes entries from the ends of the largest lists, and reports them in `truncated`. Null if that isn't enough. */
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

/** Contains the body in both forms, because hosts without support for structured content, and protocol versions before 2025-06-18, only read the text. */
const toResult = (body: ResultBody, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: toText(body) }],
  structuredContent: body,
  ...(isError && { isError }),
});

/** The result of a call that failed as a whole. */
export const createErrorResult = (errors: readonly ResultBody[]): CallToolResult => toResult({ errors }, true);

/** The result of a call. Truncated if it's larger than `maxBytes`. */
export function createResult(body: ResultBody, maxBytes: number, isError = false): CallToolResult {
  const fitting = truncateToFit(body, maxBytes);
  if (fitting) return toResult(fitting, isError);
  const message = `The response exceeds ${maxBytes} bytes and has no list that can be truncated further. Request less data.`;
  return createErrorResult([{ code: 'ANSWER_TOO_LARGE', message }]);
}

/** The result of an executed write. It isn't an error even if it's too large, because the caller might repeat the write. */
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
