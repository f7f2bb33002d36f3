import type { IncomingMessage } from 'node:http';
import { BoundedCache } from '../../lib/boundedCache.ts';

/** Media types of incremental responses, for `@defer` and `@stream`. */
export const INCREMENTAL_TYPES = ['multipart/mixed', 'text/event-stream'] as const;
/** Media types of single responses. If the client has no preference, the first is used. */
export const SINGLE_RESPONSE_TYPES = ['application/json', 'application/graphql-response+json'] as const;
/** Name of the format of incremental results, as a parameter of their media type. It's also the format without a parameter. */
const FORMAT = 'deferSpec=20220824';
/** Parameters that name a format. */
const FORMAT_PARAMETER = /^(?:deferSpec|incrementalSpec)\s*=/i;

/** All media types of responses. */
export const RESPONSE_TYPES = [...SINGLE_RESPONSE_TYPES, ...INCREMENTAL_TYPES] as const;

const PAGE = 'text/html';

/** An entry of a header that lists accepted values. */
interface HeaderEntry {
  /** Lowercase. */
  readonly name: string;
  /** 0 to 1, where 0 excludes the value. Invalid weights count as 0. */
  readonly weight: number;
  readonly charset: string;
  /** Position in the header. */
  readonly position: number;
  /** Whether the entry names the supported format of incremental results. Null if it names none. */
  readonly namesFormat: boolean | null;
}

/** Entries, and their parameters, which can contain quoted commas and semicolons. */
const ENTRY_PATTERN = /(?:[^,"]|"[^"]*")+/g;
const PARAMETER_PATTERN = /(?:[^;"]|"[^"]*")+/g;

/** Entries of a header that lists media types or codings, with lowercase names. */
export function parseEntries(header: string): HeaderEntry[] {
  return (header.toLowerCase().match(ENTRY_PATTERN) ?? []).map((entry, position) => {
    const [name = '', ...parameters] = (entry.match(PARAMETER_PATTERN) ?? []).map((part) => part.trim());
    const values = new Map(parameters.map((part) => part.split(/\s*=\s*(.*)/s) as [string, string | undefined]));
    const formats = parameters.filter((part) => FORMAT_PARAMETER.test(part));
    const weight = Number(values.get('q') ?? 1);
    return {
      name,
      weight: Math.min(Math.max(weight, 0), 1) || 0,
      charset: (values.get('charset') ?? 'utf-8').replaceAll('"', ''),
      position,
      namesFormat: formats.length === 0 ? null : formats.every((part) => part.replaceAll(/[\s"]/g, '') === FORMAT.toLowerCase()),
    };
  });
}

/** Labels of UTF-8. Source: https://encoding.spec.whatwg.org/#names-and-labels */
const UTF_8: ReadonlySet<string> = new Set(['utf-8', 'utf8']);

/** Whether a media type is in UTF-8, which is the default. */
export const isUtf8 = ({ charset }: HeaderEntry): boolean => UTF_8.has(charset);

/** The lowercase entries of a header such as Accept-Encoding, with their weights. */
export const parseWeights = (header: string): ReadonlyMap<string, number> =>
  new Map(parseEntries(header).map(({ name, weight }) => [name, weight]));

/** A client's preference for a type. An exact match overrides wildcards. */
interface Preference {
  readonly weight: number;
  /** 2 for the type itself, 1 for `text/*`, 0 for any type. */
  readonly precision: number;
  /** Position of the entry in the header. */
  readonly position: number;
}

function findPreference(type: string, entries: readonly HeaderEntry[]): Preference | undefined {
  const patterns = [['*/*', '*'], [type.replace(/\/.*/, '/*')], [type]];
  for (let precision = patterns.length - 1; precision >= 0; precision -= 1) {
    const matching = entries.flatMap(({ name, weight, position }) =>
      patterns[precision]?.includes(name) ? [{ weight, precision, position }] : [],
    );
    const [best] = matching.toSorted((one, other) => other.weight - one.weight);
    if (best) return best;
  }
  return undefined;
}

interface Choice extends Preference {
  readonly type: string;
}

/** The type with the highest preference. If several are equal, the first of `types`. */
function choose(types: readonly string[], entries: readonly HeaderEntry[]): Choice | undefined {
  const choices = types.flatMap((type): Choice[] => {
    const preference = findPreference(type, entries);
    return preference && preference.weight > 0 ? [{ type, ...preference }] : [];
  });
  return findBest(choices);
}

const findBest = (choices: readonly Choice[]): Choice | undefined =>
  choices.toSorted((one, other) => other.weight - one.weight || other.precision - one.precision || one.position - other.position)[0];

/**
 * The type of incremental responses, with its format. A client that names an unsupported format gets no incremental response, even if it accepts any type:
 * it couldn't read one.
 */
function chooseIncremental(entries: readonly HeaderEntry[]): Choice | undefined {
  const isUnsupported = entries.some(({ namesFormat }) => namesFormat === false);
  const plain = entries.filter(({ name, namesFormat }) => namesFormat === null && !(isUnsupported && name.includes('*')));
  const supported = entries.filter(({ namesFormat }) => namesFormat);
  const named = choose(INCREMENTAL_TYPES, supported);
  const choices = [named && { ...named, type: `${named.type};${FORMAT}` }, choose(INCREMENTAL_TYPES, plain)];
  return findBest(choices.filter((choice) => choice !== undefined));
}

/** Whether a choice precedes another one from a separate list. */
const isBefore = (one: Choice, other: Choice | undefined) =>
  !other ||
  one.weight > other.weight ||
  (one.weight === other.weight && (one.precision > other.precision || one.position < other.position));

/** The media types to respond with, in normalized form. Null if the client accepts none of them. */
function negotiate(header: string): string | null {
  // Responses are always in UTF-8.
  const entries = parseEntries(header).filter(isUtf8);
  const single = choose(SINGLE_RESPONSE_TYPES, entries);
  const incremental = chooseIncremental(entries);
  const page = choose([PAGE], entries);
  // A single response is preferred, unless the client prefers incremental ones.
  const preferred = single && (!incremental || single.weight >= incremental.weight) ? single : incremental;
  // Browsers list text/html explicitly. Programs that accept any type don't expect a page.
  const isPage = page?.precision === 2 && isBefore(page, preferred);
  const types = [isPage && PAGE, preferred?.type, incremental?.type].filter(Boolean);
  return types.length > 0 ? [...new Set(types)].join(', ') : null;
}

/** Negotiated headers by the original ones. Chosen: clients send a few different ones. */
const negotiated = new BoundedCache<string>({ entries: 100 });

/**
 * Replaces the Accept header with the negotiated media types: text/html if the client prefers it, then the type of a single response, then the type of an
 * incremental response. Every code path uses the first type that it can produce, so they all respond alike. A header that accepts no supported type remains
 * unchanged.
 */
export function negotiateAccept({ headers }: IncomingMessage): void {
  const header = headers.accept?.trim() || '*/*';
  let types = negotiated.get(header);
  if (types === undefined) {
    types = negotiate(header) ?? header;
    negotiated.set(header, types);
  }
  headers.accept = types;
}

/** The first of the types that a negotiated header contains. */
export const findAccepted = <Type extends string>(header: string | null | undefined, types: readonly Type[]): Type | undefined => {
  const accepted = header?.split(', ') ?? [];
  return types.find((type) => accepted.includes(type) || accepted.includes(`${type};${FORMAT}`));
};

/** The format of incremental results in a negotiated header. Undefined without a parameter. */
export const findFormat = (header: string | null): string | undefined => (header?.includes(`;${FORMAT}`) ? FORMAT : undefined);

/** Whether a negotiated header contains text/html. */
export const acceptsPage = (header: string | null): boolean => findAccepted(header, [PAGE]) !== undefined;
