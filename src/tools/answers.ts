import type { CallToolResult } from '@modelcontextprotocol/server';
import type { GraphQLFormattedError } from 'graphql';

/** What a tool answers, before it is text. */
export interface Told {
  readonly [member: string]: unknown;
}

/** A list that was cut, for whoever reads the answer. */
interface Cut {
  readonly path: string;
  readonly shown: number;
  readonly of: number;
}

/** Bytes of an answer as a string of the envelope: its quotes are escaped there. */
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

/** Bytes that the report of what was cut may take. */
const REPORT_BYTES = 1_024;
/** Lists that are cut at most: each is named in the report. */
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

/**
 * An answer of at most so many bytes: the largest lists are cut from their ends, and `truncated` says which and how to ask for less. Null where that does not
 * suffice.
 */
function fitted(told: Told, maxBytes: number): Told | null {
  if (bytesOf(told) <= maxBytes) return told;
  const copy = structuredClone(told) as Record<string, unknown>;
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

const asText = (told: Told, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(told) }],
  ...(isError && { isError }),
});

/** A failure, for programs and people. */
export const failed = (code: string, message: string, details: Told = {}): CallToolResult =>
  asText({ errors: [{ code, message, ...details }] }, true);

/**
 * The answer of a tool, as JSON in a single text: every host shows text, and `structuredContent` beside it would double the size. Longer than `maxBytes`, it is cut.
 */
export function answered(told: Told, maxBytes: number, isError = false): CallToolResult {
  const answer = fitted(told, maxBytes);
  if (answer) return asText(answer, isError);
  return tooLarge(maxBytes);
}

/** The answer to a change that was made. One that cannot be cut is no failure: whoever is told of one may make the change again. */
export function answeredDone(told: Told, maxBytes: number): CallToolResult {
  const answer = fitted(told, maxBytes);
  return asText(
    answer ?? {
      done: true,
      message: `The mutation succeeded, but its response exceeds ${maxBytes} bytes and was omitted. Query the records instead.`,
    },
    false,
  );
}

function tooLarge(maxBytes: number): CallToolResult {
  return failed(
    'ANSWER_TOO_LARGE',
    `The response exceeds ${maxBytes} bytes and has no list that can be truncated further. Request less data.`,
  );
}

/** An error of the graph as a tool tells it. */
export const toldError = ({ message, path, extensions: { http, ...extensions } = {} }: GraphQLFormattedError): Told => ({
  message,
  ...(path && { path: path.join('.') }),
  ...extensions,
});
