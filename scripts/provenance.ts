import type { Field, Limits, MessageFields } from '../src/upstream/contract/fields.ts';
import * as messages from '../src/upstream/contract/generated/messages.ts';
import { operations } from '../src/upstream/contract/generated/operations.ts';
import type { Page } from '../src/upstream/contract/operation.ts';
import { limitsOf } from '../src/upstream/contract/rules.ts';
import { readStatuses } from './statuses.ts';

const { records, enums } = messages;

/** A thing that the contract says, and whether the upstream documents it. */
export interface Claim {
  /** The kind of thing, in the plural: `rules`. */
  readonly kind: string;
  /** The message or enum that it is said of, or a word for all that the same is said of. */
  readonly of: string;
  readonly what: string;
  readonly isStated: boolean;
}

/** The requests, and the messages in them. */
function requestMessages(): readonly MessageFields[] {
  const found = new Set<MessageFields>();
  const add = (message: MessageFields): void => {
    if (found.has(message)) return;
    found.add(message);
    for (const field of Object.values(message.fields)) if (field.message) add(field.message);
  };
  for (const { request } of operations) add(request);
  return [...found];
}

const fieldClaims = (kind: string, { name: of, fields }: MessageFields): Claim[] =>
  Object.entries(fields).map(([what, { assumed }]) => ({ kind, of, what, isStated: !assumed }));

/** Rules that are no guess of their own: an empty id names nothing, and the sizes of pages are told of lists. */
const isNoGuess = (name: string, { refers, minLength }: Field) =>
  name === 'page' || name === 'pageSize' || (refers !== undefined && minLength === 1);

function ruleClaims({ name: of, fields, exactlyOne, atLeastOne, combinationStated }: MessageFields): Claim[] {
  const kind = 'request field rules';
  const isCombinationStated = combinationStated === true;
  const between = [
    ...(exactlyOne ? [{ kind, of, what: `one of ${exactlyOne.join(', ')}`, isStated: isCombinationStated }] : []),
    ...(atLeastOne ? [{ kind, of, what: `at least one of ${atLeastOne.join(', ')}`, isStated: isCombinationStated }] : []),
  ];
  const guessed = Object.entries(fields).filter(([name, field]) => !isNoGuess(name, field));
  const own = guessed.flatMap(([name, field]) =>
    Object.entries(limitsOf(field)).map(([limit, bound]) => {
      const isStated = field.stated?.includes(limit as keyof Limits) === true;
      return { kind, of, what: `${name} ${limit} ${JSON.stringify(bound)}`, isStated };
    }),
  );
  return [...between, ...own];
}

/** The way in which a list is read; sizes only of lists that have pages. */
function pageClaims({ kind, defaultSize, maxSize, maxPage, stated }: Page, what: string): Claim[] {
  const claim = (plural: string, member: keyof Page, value: string | number): Claim => ({
    kind: plural,
    of: String(value),
    what,
    isStated: stated.includes(member),
  });
  if (kind === 'WHOLE') return [claim('pagination styles', 'kind', kind)];
  return [
    claim('pagination styles', 'kind', kind),
    claim('default page sizes', 'defaultSize', defaultSize),
    claim('maximum page sizes', 'maxSize', maxSize),
    ...(maxPage === undefined ? [] : [claim('maximum page numbers', 'maxPage', maxPage)]),
  ];
}

/** Everything in the contract that can be guessed wrong. */
export function claims(): readonly Claim[] {
  const services = new Map(operations.map(({ name, assumedPath }) => [name.split('/')[0] ?? '', !assumedPath.includes('service')]));
  return [
    ...[...services].map(([what, isStated]) => ({ kind: 'service names in paths', of: 'paths', what, isStated })),
    ...operations.map(({ name: what, assumedPath }) => ({
      kind: 'operation names in paths',
      of: 'paths',
      what,
      isStated: !assumedPath.includes('name'),
    })),
    ...operations.map(({ name: what, assumed }) => ({ kind: 'operation shapes', of: 'shapes', what, isStated: !assumed })),
    ...operations.map(({ name: what, scopesUnknown }) => ({ kind: 'operation scopes', of: 'scopes', what, isStated: !scopesUnknown })),
    ...requestMessages().flatMap((message) => fieldClaims('request fields', message)),
    ...requestMessages().flatMap(ruleClaims),
    ...Object.values(records).flatMap((record) => fieldClaims('record fields', record)),
    ...Object.entries(enums).flatMap(([of, words]) =>
      words.map(({ name, assumed }) => ({ kind: 'enum values', of, what: name, isStated: !assumed })),
    ),
    ...operations.flatMap(({ name, page }) => (page ? pageClaims(page, name) : [])),
    ...operations.flatMap(({ name: what, cover }) =>
      cover ? [{ kind: 'covering lists', of: cover.list, what, isStated: !cover.assumed }] : [],
    ),
    ...operations.flatMap(({ name: what, parts }) =>
      parts ? [{ kind: 'lists that are subsets of another list', of: parts.of, what, isStated: !parts.assumed }] : [],
    ),
    ...readStatuses().map(({ status, isStated }) => ({ kind: 'HTTP statuses', of: 'statuses', what: String(status), isStated })),
  ];
}
