import type { Sentence } from './sentence.ts';

const FOLDER = 'test/sandbox/analytics';
const ENGINE = `${FOLDER}/engine.test.ts`;
const FILTERS = `${FOLDER}/engineFilters.test.ts`;
const RULES = `${FOLDER}/rules.test.ts`;
const ZONES = `${FOLDER}/zones.test.ts`;
const ACCESS = `${FOLDER}/engineAccess.test.ts`;
const QUEUE = `${FOLDER}/queue.test.ts`;
const CATALOG = `${FOLDER}/engineCatalog.test.ts`;
const SQL = `${FOLDER}/engineSql.test.ts`;
const ACCEPTED = `${FOLDER}/sqlAccepted.test.ts`;
const REFUSAL = `${RULES} > a query that breaks a rule > is refused for %s`;
const AT_LIMIT = `${RULES} > a query at the limits > is answered with %s`;

const services = ['AnalyticsService'];

/** Of analytics: their operations, access, and the shape of queries (4.12). */
export const ANALYTICS: readonly Sentence[] = [
  {
    line: 360,
    says: 'Analytics take their scope letter by letter',
    services,
    verdict: 'held',
    tests: [`${ACCESS} > totals > take the scope analytics:read word for word: %s`],
  },
  {
    line: 364,
    says: 'The catalog takes an empty request',
    services,
    verdict: 'held',
    tests: [`${RULES} > a query that breaks a rule > is refused for fields that queries do not have, wherever they stand`],
  },
  {
    line: 364,
    says: 'The catalog tells roots, limits, policy and aggregations without a field',
    services,
    verdict: 'held',
    tests: [`${CATALOG} > the catalog > has the roots, and tells its limits, its policy and the aggregations without a field`],
  },
  {
    line: 364,
    says: 'The catalog tells what SQL may say',
    services,
    verdict: 'held',
    tests: [`${ACCEPTED} > texts of SQL > are shown by the catalog: %s`],
  },
  {
    line: 365,
    says: 'Restricted SQL is answered with its result and its normalized text',
    services,
    verdict: 'held',
    tests: [`${SQL} > a text of SQL > is answered as the query that it stands for, and so is the text that comes back`],
  },
  {
    line: 366,
    says: 'A typed query is answered with its result',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > totals > are counted for each group, exactly, in major units of each currency`],
  },
  {
    line: 368,
    says: 'The catalog tells types, operators, aggregations and relationships',
    services,
    verdict: 'held',
    tests: [
      `${CATALOG} > the catalog > names relationships of %s that lead to roots, and fields with types`,
      `${CATALOG} > all that the catalog tells of a root can be asked > its operators: %s`,
      `${CATALOG} > all that the catalog tells of a root can be asked > its aggregations: %s`,
    ],
  },
  {
    line: 368,
    says: 'The catalog tells which fields take the current member',
    services,
    verdict: 'held',
    tests: [`${CATALOG} > the catalog > tells which fields can be compared with the member behind the key`],
  },
  {
    line: 368,
    says: 'There are eight roots',
    services,
    verdict: 'held',
    tests: [`${CATALOG} > the catalog > has the roots, and tells its limits, its policy and the aggregations without a field`],
  },
  {
    line: 368,
    says: 'Orders and work orders are counted apart',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > an answer > orders and work orders are counted each by themselves`],
  },
  {
    line: 370,
    says: 'Analytics take full access to boards',
    services,
    verdict: 'held',
    tests: [`${ACCESS} > totals > take full access to boards: %s`],
  },
  {
    line: 370,
    says: 'Analytics take full access to each domain that a query names',
    services,
    verdict: 'held by assumption',
    tests: [`${ACCESS} > totals > come with full access to boards for every root, since it opens the other domains`],
  },
  {
    line: 370,
    says: 'Members with less get a refusal, and no part of a total',
    services,
    verdict: 'held',
    tests: [
      `${ACCESS} > totals > are given to nobody whose Customer View hides %s`,
      `${ACCESS} > totals > are given to nobody who is offered some of the catalog alone`,
    ],
  },
  {
    line: 370,
    says: 'Queries wait in a queue that refuses too many',
    services,
    verdict: 'held by assumption',
    tests: [`${QUEUE} > the queue of executions > refuses more than may wait in a workspace, and answers those that do`],
  },
  {
    line: 370,
    says: 'Queries of one key hold up no other',
    services,
    verdict: 'held by assumption',
    tests: [`${QUEUE} > the queue of executions > lets keys take turns, so that a key with many holds up nobody`],
  },
  {
    line: 370,
    says: 'Usage is counted',
    services,
    verdict: 'held by assumption',
    tests: [`${QUEUE} > usage > is counted by key and day, of what was answered, and shown at the admin port`],
  },
  { line: 370, says: 'Queries save nothing', services, verdict: 'held', tests: [`${SQL} > a query > changes nothing but the usage`] },
  { line: 376, says: 'Version 1 is the only one', services, verdict: 'held', tests: [REFUSAL] },
  { line: 377, says: 'A query is about one root of the catalog', services, verdict: 'held', tests: [REFUSAL] },
  {
    line: 378,
    says: 'Queries are about the current state',
    services,
    verdict: 'held',
    tests: [
      `${RULES} > a query that breaks a rule > is refused for a word that an enum does not have, and for an operator that there is not`,
    ],
  },
  { line: 379, says: 'The zone is one of the IANA database', services, verdict: 'held', tests: [REFUSAL] },
  {
    line: 379,
    says: 'An empty zone is that of the workspace',
    services,
    verdict: 'held',
    tests: [`${ZONES} > a range of days > is in the zone of the workspace when none is given`],
  },
  { line: 380, says: 'A time range has a field and one form', services, verdict: 'held', tests: [REFUSAL] },
  {
    line: 380,
    says: 'A calendar range includes both its days, in the zone',
    services,
    verdict: 'held',
    tests: [
      `${ZONES} > a range of days > includes the last day`,
      `${ZONES} > a range of days > in %s is %s from its first moment to that of the next`,
    ],
  },
  {
    line: 380,
    says: 'A range of moments leaves its end out',
    services,
    verdict: 'held',
    tests: [`${ZONES} > a range of moments > keeps its bounds, in UTC`],
  },
  { line: 380, says: 'Moments have six decimals at most', services, verdict: 'held', tests: [REFUSAL, AT_LIMIT] },
  {
    line: 381,
    says: 'A filter is a group, a comparison or related records',
    services,
    verdict: 'held',
    tests: [`${FILTERS} > a filter > joins by all and by any, within each other`, `${FILTERS} > a filter > compares by every operator`],
  },
  {
    line: 382,
    says: 'An aggregate has measures and dimensions',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > totals > are counted for each group, exactly, in major units of each currency`],
  },
  {
    line: 383,
    says: 'Records show fields instead of totals',
    services,
    verdict: 'held',
    tests: [`${FILTERS} > records > come by their ids, with the values of their fields`],
  },
  { line: 383, says: 'A query has an aggregate or records, and not both', services, verdict: 'held', tests: [REFUSAL] },
  {
    line: 384,
    says: 'Answers are sorted by columns that they have',
    services,
    verdict: 'held',
    tests: [`${FILTERS} > records > are sorted either way, with empty cells behind, and ties in the order of the columns`, REFUSAL],
  },
  {
    line: 385,
    says: 'The limit is one of rows of the answer',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > an answer > is cut at the limit, after everything was counted`],
  },
];
