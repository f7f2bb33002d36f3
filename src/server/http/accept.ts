import type { IncomingMessage } from 'node:http';
import { BoundedCache } from '../../lib/boundedCache.ts';

/** Answers that come in parts, as `@defer` and `@stream` make them. */
export const IN_PARTS = ['multipart/mixed', 'text/event-stream'] as const;
/** Answers that come whole. Of those that a caller takes alike, the first. */
export const WHOLE = ['application/json', 'application/graphql-response+json'] as const;
/**
 * Formats of incremental results, as parameters of their media type. The first is the one of https://specs.apollo.dev/incremental/v0.2; the others are two names of
 * the format of 2022, which is also the format without a parameter.
 */
const FORMATS = ['incrementalSpec=v0.2', 'incrementalSpec=v0.1', 'deferSpec=20220824'] as const;
export type IncrementalFormat = (typeof FORMATS)[number];

/** All that the graph can answer in. */
export const ANSWERS = [...WHOLE, ...IN_PARTS] as const;

const PAGE = 'text/html';

/** A member of a header that lists what a caller takes. */
interface Member {
  /** In lower case. */
  readonly name: string;
  /** From 0, which excludes it, to 1. A weight that is no number counts as 0. */
  readonly weight: number;
  readonly charset: string;
  /** Position in the header. */
  readonly place: number;
  /** The format of incremental results that it names. Undefined without one, and null if it isn't supported. */
  readonly format: IncrementalFormat | null | undefined;
}

function formatIn(values: ReadonlyMap<string, string | undefined>): Member['format'] {
  const name = ['incrementalSpec', 'deferSpec'].map((each) => each.toLowerCase()).find((each) => values.has(each));
  if (name === undefined) return undefined;
  const parameter = `${name}=${values.get(name)?.replaceAll('"', '')}`;
  return FORMATS.find((format) => format.toLowerCase() === parameter) ?? null;
}

/** Members, and their parameters, with commas and semicolons in quotes left alone. */
const MEMBERS = /(?:[^,"]|"[^"]*")+/g;
const PARAMETERS = /(?:[^;"]|"[^"]*")+/g;

/** Members of a header that lists media types or codings, with lowercase names. */
export function membersOf(header: string): Member[] {
  return (header.toLowerCase().match(MEMBERS) ?? []).map((member, place) => {
    const [name = '', ...parameters] = (member.match(PARAMETERS) ?? []).map((part) => part.trim());
    const values = new Map(parameters.map((part) => part.split(/\s*=\s*(.*)/s) as [string, string | undefined]));
    const weight = Number(values.get('q') ?? 1);
    return {
      name,
      weight: Math.min(Math.max(weight, 0), 1) || 0,
      charset: (values.get('charset') ?? 'utf-8').replaceAll('"', ''),
      place,
      format: formatIn(values),
    };
  });
}

/** Labels of UTF-8. Source: https://encoding.spec.whatwg.org/#names-and-labels */
const UTF_8: ReadonlySet<string> = new Set(['utf-8', 'utf8']);

/** Whether a media type is in UTF-8, which is the default. */
export const isUtf8 = ({ charset }: Member): boolean => UTF_8.has(charset);

/** The members of a header such as Accept-Encoding, in lower case, with their weights. */
export const weightsOf = (header: string): ReadonlyMap<string, number> =>
  new Map(membersOf(header).map(({ name, weight }) => [name, weight]));

/** How much a caller wants a type: members that name it go over wildcards, in what they say and between equals. */
interface Wish {
  readonly weight: number;
  /** 2 where the type is named, 1 for `text/*`, 0 for a star. */
  readonly precision: number;
  /** The place of the member. */
  readonly place: number;
}

function wishFor(type: string, members: readonly Member[]): Wish | undefined {
  const patterns = [['*/*', '*'], [type.replace(/\/.*/, '/*')], [type]];
  for (let precision = patterns.length - 1; precision >= 0; precision -= 1) {
    const fitting = members.flatMap(({ name, weight, place }) =>
      patterns[precision]?.includes(name) ? [{ weight, precision, place }] : [],
    );
    const [best] = fitting.toSorted((one, other) => other.weight - one.weight);
    if (best) return best;
  }
  return undefined;
}

interface Choice extends Wish {
  readonly type: string;
}

/** The type that a caller wants most. Types that it wants alike stand in our order. */
function choose(types: readonly string[], members: readonly Member[]): Choice | undefined {
  const choices = types.flatMap((type): Choice[] => {
    const wish = wishFor(type, members);
    return wish && wish.weight > 0 ? [{ type, ...wish }] : [];
  });
  return bestOf(choices);
}

const bestOf = (choices: readonly Choice[]): Choice | undefined =>
  choices.toSorted((one, other) => other.weight - one.weight || other.precision - one.precision || one.place - other.place)[0];

/**
 * The type of incremental responses, with its format. A client that names an unsupported format gets no incremental response, even if it accepts any type:
 * it couldn't read one.
 */
function chooseInParts(members: readonly Member[]): Choice | undefined {
  const isUnsupported = members.some(({ format }) => format === null);
  const plain = members.filter(({ name, format }) => format === undefined && !(isUnsupported && name.includes('*')));
  const choices = FORMATS.flatMap((format): Choice[] => {
    const choice = choose(
      IN_PARTS,
      members.filter((member) => member.format === format),
    );
    return choice ? [{ ...choice, type: `${choice.type};${format}` }] : [];
  });
  return bestOf([...choices, ...[choose(IN_PARTS, plain)].filter((choice) => choice !== undefined)]);
}

/** The order of two that a caller names in different places. */
const isBefore = (one: Choice, other: Choice | undefined) =>
  !other || one.weight > other.weight || (one.weight === other.weight && (one.precision > other.precision || one.place < other.place));

/** The types in which a request is to be answered, in our words. Null when the caller takes none of them. */
function settle(header: string): string | null {
  // Responses are always in UTF-8.
  const members = membersOf(header).filter(isUtf8);
  const whole = choose(WHOLE, members);
  const parts = chooseInParts(members);
  const page = choose([PAGE], members);
  // An answer that can come whole does, unless its caller wants parts more.
  const answer = whole && (!parts || whole.weight >= parts.weight) ? whole : parts;
  // Browsers name the type of pages; programs that take anything want none.
  const isPage = page?.precision === 2 && isBefore(page, answer);
  const types = [isPage && PAGE, answer?.type, parts?.type].filter(Boolean);
  return types.length > 0 ? [...new Set(types)].join(', ') : null;
}

/** Settled headers by what came. Ours: clients send a few. */
const settled = new BoundedCache<string>({ entries: 100 });

/**
 * Replaces the Accept header by the types in which the request is to be answered: the page, where that is wanted most; then the type of an answer that
 * comes whole, then that of an answer in parts. All roads take the first type that they can answer in, and so answer alike. A header that leaves no type stays
 * as it is.
 */
export function settleAccept({ headers }: IncomingMessage): void {
  const header = headers.accept?.trim() || '*/*';
  let types = settled.get(header);
  if (types === undefined) {
    types = settle(header) ?? header;
    settled.set(header, types);
  }
  headers.accept = types;
}

/** The first of some types in a settled header. */
export const acceptedOf = <Type extends string>(header: string | null | undefined, types: readonly Type[]): Type | undefined => {
  const accepted = header?.split(', ') ?? [];
  return types.find((type) => accepted.includes(type) || FORMATS.some((format) => accepted.includes(`${type};${format}`)));
};

/** The format of incremental results in a settled header. Undefined without a parameter. */
export const formatOf = (header: string | null | undefined): IncrementalFormat | undefined =>
  FORMATS.find((format) => header?.includes(`;${format}`));

/** Whether a settled header has the page. */
export const acceptsPage = (header: string | null): boolean => acceptedOf(header, [PAGE]) !== undefined;
