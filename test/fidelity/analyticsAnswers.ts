import type { Sentence } from './sentence.ts';

const FOLDER = 'test/sandbox/analytics';
const ENGINE = `${FOLDER}/engine.test.ts`;
const RULES = `${FOLDER}/rules.test.ts`;
const ACCESS = `${FOLDER}/engineAccess.test.ts`;
const QUEUE = `${FOLDER}/queue.test.ts`;
const SQL = `${FOLDER}/engineSql.test.ts`;
const REFUSED = `${FOLDER}/sqlRefusals.test.ts`;
const ACCEPTED = `${FOLDER}/sqlAccepted.test.ts`;
const REFUSAL = `${RULES} > a query that breaks a rule > is refused for %s`;
const AT_LIMIT = `${RULES} > a query at the limits > is answered with %s`;

const services = ['AnalyticsService'];

/** Of analytics: what cannot be asked, the restricted SQL, answers, failures and limits (4.12 from there, 5, 7.5 and 8). */
export const ANALYTICS_ANSWERS: readonly Sentence[] = [
  {
    line: 397,
    says: 'SQL has no relative ranges or values, conditions of measures and ratios',
    services,
    verdict: 'held',
    tests: [`${ACCEPTED} > texts of SQL > cannot say %s`, `${REFUSED} > %s > are refused with their place: %s`],
  },
  {
    line: 398,
    says: 'Unknown fields, operators and forms are refused',
    services,
    verdict: 'held',
    tests: [`${RULES} > a query that breaks a rule > is refused for fields that queries do not have, wherever they stand`, REFUSAL],
  },
  {
    line: 398,
    says: 'Executable input and other semantics are refused',
    services,
    verdict: 'held',
    tests: [
      `${RULES} > a query that breaks a rule > is refused for fields that queries do not have, wherever they stand`,
      `${RULES} > a query that breaks a rule > is refused for a word that an enum does not have, and for an operator that there is not`,
    ],
  },
  {
    line: 399,
    says: 'Queries see what is stored now, and no history',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > an answer > is of the moment of the query, without other filters than its own`],
  },
  {
    line: 399,
    says: 'Formulas, custom fields and paths into JSON are refused',
    services,
    verdict: 'held',
    tests: [`${RULES} > a query that breaks a rule > is refused for fields that queries do not have, wherever they stand`, REFUSAL],
  },
  {
    line: 399,
    says: 'No filter is added that was not asked for',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > an answer > is of the moment of the query, without other filters than its own`],
  },
  {
    line: 401,
    says: 'SQL is read into a typed query',
    services,
    verdict: 'held',
    tests: [
      `${SQL} > a text of SQL > is answered as the query that it stands for, and so is the text that comes back`,
      `${ACCEPTED} > texts of SQL > are read into queries: %s`,
    ],
  },
  {
    line: 401,
    says: 'SQL names one root, its zone first, and a limit',
    services,
    verdict: 'held',
    tests: [`${REFUSED} > %s > are refused with their place: %s`, `${SQL} > a text of SQL > is refused for %s, with its place`],
  },
  {
    line: 401,
    says: 'Time predicates stand behind the zone',
    services,
    verdict: 'held by assumption',
    tests: [`${ACCEPTED} > texts of SQL > are read into queries: %s`, `${REFUSED} > %s > are refused with their place: %s`],
  },
  {
    line: 401,
    says: 'SQL has contains, the current member, existence, groups and orders',
    services,
    verdict: 'held by assumption',
    tests: [
      `${ACCEPTED} > texts of SQL > are read into queries: %s`,
      `${SQL} > a text of SQL > may ask for records of the member behind the key`,
    ],
  },
  {
    line: 401,
    says: 'Existence in SQL is that of a relationship',
    services,
    verdict: 'held by assumption',
    tests: [`${ACCEPTED} > conditions of relationships > can be written: $entity.name to $relationship.name`],
  },
  {
    line: 401,
    says: 'Aliases of tables, joins, subqueries, casts and changes are refused',
    services,
    verdict: 'held',
    tests: [`${REFUSED} > %s > are refused with their place: %s`],
  },
  {
    line: 403,
    says: 'A cell has a value, or tells why not',
    services,
    verdict: 'held',
    tests: [
      `${ENGINE} > totals > of nothing are empty, and counts of nothing are zero`,
      `${ENGINE} > amounts that are not settled > make the measures that they feed unavailable, and no others`,
    ],
  },
  {
    line: 403,
    says: 'A count of nothing is zero',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > totals > of nothing are empty, and counts of nothing are zero`],
  },
  {
    line: 403,
    says: 'An answer without rows is told as empty',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > totals > by a dimension have no groups where nothing is, and are then empty`],
  },
  {
    line: 403,
    says: 'A query that fails is an error',
    services,
    verdict: 'held',
    tests: [
      `${RULES} > a query that breaks a rule > is refused before any part of it runs, although nothing would be found`,
      `${QUEUE} > the deadline of an execution > is 15 s, and answers no part of it`,
    ],
  },
  {
    line: 403,
    says: 'Unsettled amounts make the totals that they feed unavailable',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > amounts that are not settled > make the measures that they feed unavailable, and no others`],
  },
  {
    line: 403,
    says: 'Totals are counted before the answer is cut, which is told',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > an answer > is cut at the limit, after everything was counted`],
  },
  {
    line: 403,
    says: 'A complete aggregation may leave groups out',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > an answer > is cut at the limit, after everything was counted`],
  },
  {
    line: 403,
    says: 'Whole numbers are texts',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > totals > are counted for each group, exactly, in major units of each currency`],
  },
  {
    line: 403,
    says: 'Currencies are not added up',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > totals > are counted for each group, exactly, in major units of each currency`],
  },
  {
    line: 403,
    says: 'Amounts once, a month and a year are not added up',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > totals > of amounts once, a month and a year are kept apart`],
  },
  {
    line: 403,
    says: 'A repeated read is answered from what is there then',
    services,
    verdict: 'held',
    tests: [
      `${ENGINE} > an answer > is of the moment of the query, without other filters than its own`,
      `${ACCESS} > totals > follow the roles of the member at the moment of the call`,
    ],
  },
  {
    line: 403,
    says: 'An answer tells its query, moment, zone and bounds',
    services,
    verdict: 'held',
    tests: [
      `${ENGINE} > an answer > is of the time zone that is asked for`,
      `${ENGINE} > an answer > is of the moment of the query, without other filters than its own`,
    ],
  },
  {
    line: 434,
    says: 'One scope is that of all analytics',
    services,
    verdict: 'held',
    tests: [`${ACCESS} > totals > take the scope analytics:read word for word: %s`],
  },
  {
    line: 507,
    says: 'A query that cannot start in half a minute is refused as repeatable',
    services,
    verdict: 'held',
    tests: [`${QUEUE} > the queue of executions > refuses what could not start within 30 s as a timeout, and goes on`],
  },
  {
    line: 511,
    says: 'Unsupported input of analytics is refused, and not ignored',
    services,
    verdict: 'held',
    tests: [`${RULES} > a query that breaks a rule > is refused for fields that queries do not have, wherever they stand`],
  },
  {
    line: 511,
    says: 'Restricted members are refused',
    services,
    verdict: 'held',
    tests: [`${ACCESS} > totals > are given to nobody whose Customer View hides %s`],
  },
  {
    line: 511,
    says: 'Answers that are too large are refused as a whole',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > an answer > is refused as a whole when it is larger than 256 KiB`],
  },
  { line: 535, says: 'SQL has 32 KiB at most', services, verdict: 'held', tests: [`${SQL} > a text of SQL > has 32 KiB at most`] },
  {
    line: 536,
    says: 'An answer has 100 rows at most',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > an answer > has 100 rows when no limit is given`, REFUSAL],
  },
  { line: 537, says: 'Filters have 100 nodes and eight levels', services, verdict: 'held', tests: [REFUSAL, AT_LIMIT] },
  { line: 538, says: 'Filters lead over two relationships', services, verdict: 'held', tests: [REFUSAL, AT_LIMIT] },
  {
    line: 539,
    says: 'There are eight measures, three dimensions and 20 fields at most',
    services,
    verdict: 'held',
    tests: [REFUSAL, AT_LIMIT],
  },
  { line: 540, says: 'A query has 32 KiB at most', services, verdict: 'held by assumption', tests: [REFUSAL] },
  { line: 541, says: 'A time range has five years at most', services, verdict: 'held', tests: [REFUSAL, AT_LIMIT] },
  {
    line: 542,
    says: 'A query is answered within 15 s, or refused',
    services,
    verdict: 'held',
    tests: [`${QUEUE} > the deadline of an execution > is 15 s, and answers no part of it`],
  },
  {
    line: 543,
    says: 'A request of analytics has 256 KiB at most',
    services,
    verdict: 'held',
    tests: [`${ACCESS} > totals > are asked for in 256 KiB at most`],
  },
  {
    line: 544,
    says: 'An answer has 256 KiB at most',
    services,
    verdict: 'held by assumption',
    tests: [`${ENGINE} > an answer > is refused as a whole when it is larger than 256 KiB`],
  },
  { line: 545, says: 'Offsets are from -24 to 24', services, verdict: 'held', tests: [REFUSAL, AT_LIMIT] },
  { line: 546, says: 'Seconds from now are within five years', services, verdict: 'held by assumption', tests: [REFUSAL, AT_LIMIT] },
];
