import type { Index, Limits, MessageField, MessageFields } from '../../src/upstream/contract/fields.ts';
import * as messages from '../../src/upstream/contract/generated/messages.ts';
import { operations } from '../../src/upstream/contract/generated/operations.ts';
import type { Page } from '../../src/upstream/contract/operation.ts';
import { pickLimits } from '../../src/upstream/contract/rules.ts';
import { readStatuses } from './statuses.ts';

const { records, enums, indexes } = messages;

/** A statement of the contract, and whether the upstream documents it. */
export interface Claim {
  /** Kind of the claim, in the plural, such as `record fields`. */
  readonly kind: string;
  /** The message or enum that it applies to, or a common value such as a page size. */
  readonly of: string;
  readonly what: string;
  readonly isStated: boolean;
}

/** The request messages, including nested ones. */
function listRequestMessages(): readonly MessageFields[] {
  const found = new Set<MessageFields>();
  const add = (message: MessageFields): void => {
    if (found.has(message)) return;
    found.add(message);
    for (const field of Object.values(message.fields)) if (field.message) add(field.message);
  };
  for (const { request } of operations) add(request);
  return [...found];
}

const createFieldClaims = (kind: string, { name: of, fields }: MessageFields): Claim[] =>
  Object.entries(fields).map(([what, { assumed }]) => ({ kind, of, what, isStated: !assumed }));

/** Whether a rule can't be wrong on its own: an empty ID never refers to a record, and page sizes are checked as claims about lists. */
const isCertain = (name: string, { refers, minLength }: MessageField) =>
  name === 'page' || name === 'pageSize' || (refers !== undefined && minLength === 1);

function createRuleClaims({ name: of, fields, exactlyOne, atLeastOne, combinationStated }: MessageFields): Claim[] {
  const kind = 'request field rules';
  const isCombinationStated = combinationStated === true;
  const combinations = [
    ...(exactlyOne ? [{ kind, of, what: `one of ${exactlyOne.join(', ')}`, isStated: isCombinationStated }] : []),
    ...(atLeastOne ? [{ kind, of, what: `at least one of ${atLeastOne.join(', ')}`, isStated: isCombinationStated }] : []),
  ];
  const guessed = Object.entries(fields).filter(([name, field]) => !isCertain(name, field));
  const own = guessed.flatMap(([name, field]) =>
    Object.entries(pickLimits(field)).map(([limit, bound]) => {
      const isStated = field.stated?.includes(limit as keyof Limits) === true;
      return { kind, of, what: `${name} ${limit} ${JSON.stringify(bound)}`, isStated };
    }),
  );
  return [...combinations, ...own];
}

/** Claims about the pagination of a list. Sizes only apply to paginated lists. */
function createPageClaims({ kind, defaultSize, maxSize, maxPage, stated }: Page, what: string): Claim[] {
  const createClaim = (plural: string, member: keyof Page, value: string | number): Claim => ({
    kind: plural,
    of: String(value),
    what,
    isStated: stated.includes(member),
  });
  if (kind === 'WHOLE') return [createClaim('pagination styles', 'kind', kind)];
  return [
    createClaim('pagination styles', 'kind', kind),
    createClaim('default page sizes', 'defaultSize', defaultSize),
    createClaim('maximum page sizes', 'maxSize', maxSize),
    ...(maxPage === undefined ? [] : [createClaim('maximum page numbers', 'maxPage', maxPage)]),
  ];
}

/** Claims about the analytics catalog. Its roots are documented. */
const createIndexClaims = ({ root: of, columns, relationships }: Index): Claim[] => [
  ...Object.values(columns).map((what) => ({ kind: 'index columns', of, what, isStated: false })),
  ...Object.keys(relationships).map((what) => ({ kind: 'index relationships', of, what, isStated: false })),
];

/** All claims of the contract that could be wrong. */
export function listClaims(): readonly Claim[] {
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
    ...listRequestMessages().flatMap((message) => createFieldClaims('request fields', message)),
    ...listRequestMessages().flatMap(createRuleClaims),
    ...Object.values(records).flatMap((record) => createFieldClaims('record fields', record)),
    ...Object.entries(enums).flatMap(([of, values]) =>
      values.map(({ name, assumed }) => ({ kind: 'enum values', of, what: name, isStated: !assumed })),
    ),
    ...operations.flatMap(({ name, page }) => (page ? createPageClaims(page, name) : [])),
    ...operations.flatMap(({ name: what, cover }) =>
      cover ? [{ kind: 'covering lists', of: cover.list, what, isStated: !cover.assumed }] : [],
    ),
    ...operations.flatMap(({ name: what, parts }) =>
      (parts?.owners ?? []).map((of) => ({ kind: 'lists that are subsets of another list', of, what, isStated: !parts?.assumed })),
    ),
    ...Object.values<Index>(indexes).flatMap(createIndexClaims),
    ...readStatuses().map(({ status, isStated }) => ({ kind: 'HTTP statuses', of: 'statuses', what: String(status), isStated })),
  ];
}
