import type { Sentence } from './sentence.ts';

const FOLDER = 'test/sandbox/analytics';
const ENGINE = `${FOLDER}/engine.test.ts`;
const FILTERS = `${FOLDER}/engineFilters.test.ts`;
const RULES = `${FOLDER}/rules.test.ts`;
const ZONES = `${FOLDER}/zones.test.ts`;
const _ACCESS = `${FOLDER}/engineAccess.test.ts`;
const _QUEUE = `${FOLDER}/queue.test.ts`;
const CATALOG = `${FOLDER}/engineCatalog.test.ts`;
const _SQL = `${FOLDER}/engineSql.test.ts`;
const _ACCEPTED = `${FOLDER}/sqlAccepted.test.ts`;
const REFUSAL = `${RULES} > a query that breaks a rule > is refused for %s`;
const AT_LIMIT = `${RULES} > a query at the limits > is answered with %s`;

const services = ['AnalyticsService'];

/** Of analytics: the rules of queries (4.12, before what cannot be asked). */
export const ANALYTICS_RULES: readonly Sentence[] = [
  {
    line: 389,
    says: 'Operators have the names of an enum',
    services,
    verdict: 'held',
    tests: [`${FILTERS} > a filter > compares by every operator`],
  },
  { line: 389, says: 'A value has its kind as its name', services, verdict: 'held', tests: [REFUSAL] },
  {
    line: 389,
    says: 'Fields of members are compared with the current one',
    services,
    verdict: 'held',
    tests: [`${FILTERS} > a filter > takes the member behind the key, and moments from now`],
  },
  {
    line: 389,
    says: 'Moments may be told by seconds from the execution',
    services,
    verdict: 'held',
    tests: [`${FILTERS} > a filter > takes the member behind the key, and moments from now`],
  },
  {
    line: 389,
    says: 'Seconds from now reach five years, and are for moments alone',
    services,
    verdict: 'held',
    tests: [REFUSAL, AT_LIMIT],
  },
  {
    line: 389,
    says: 'The normalized query keeps seconds from now',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > the normalized query > has what was left out, and keeps what is relative`],
  },
  {
    line: 390,
    says: 'Related records are tested for, and multiply no root',
    services,
    verdict: 'held',
    tests: [`${FILTERS} > a filter over related records > counts each root once, however many records it leads to`],
  },
  {
    line: 390,
    says: 'One related filter is about one record, several about several',
    services,
    verdict: 'held',
    tests: [`${FILTERS} > a filter over related records > is satisfied by one record within a filter, and by different ones in several`],
  },
  {
    line: 391,
    says: 'A count has no field, and counts roots',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > totals > are counted for each group, exactly, in major units of each currency`, REFUSAL],
  },
  {
    line: 391,
    says: 'Distinct values are counted without empty ones',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > totals > count distinct values, and none that are empty`],
  },
  {
    line: 391,
    says: 'Sums, averages, least and most are those of the values',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > totals > of whole numbers and decimals have the digits of their fields, and six more when divided`],
  },
  {
    line: 391,
    says: 'A percentile is a value that is there',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > a percentile > of %s, of whose digits %i stand behind the point, is %s: a value that is there`],
  },
  {
    line: 391,
    says: 'Amounts are aggregated by their currency',
    services,
    verdict: 'held',
    tests: [REFUSAL, `${ENGINE} > totals > are counted for each group, exactly, in major units of each currency`],
  },
  {
    line: 392,
    says: 'A ratio divides two measures beside it',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > a ratio > divides two measures beside it, by ids that are given or made`],
  },
  { line: 392, says: 'Ratios divide neither ratios nor amounts nor moments', services, verdict: 'held', tests: [REFUSAL] },
  { line: 392, says: 'A ratio has no field, percentile or condition', services, verdict: 'held', tests: [REFUSAL] },
  {
    line: 392,
    says: 'A ratio is a decimal, empty over zero and over nothing',
    services,
    verdict: 'held by assumption',
    tests: [`${ENGINE} > a ratio > is empty over zero, over nothing, and of nothing`],
  },
  {
    line: 392,
    says: 'The id of a ratio is made of its operands',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > a ratio > divides two measures beside it, by ids that are given or made`],
  },
  {
    line: 393,
    says: 'A condition chooses the roots that feed its measure',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > a measure with a condition > is fed by the rows that satisfy it, and the others by all`],
  },
  {
    line: 393,
    says: 'A condition is a filter like others',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > a measure with a condition > may ask for related records`],
  },
  {
    line: 393,
    says: 'Sums of nothing are empty, and counts zero',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > totals > of nothing are empty, and counts of nothing are zero`],
  },
  {
    line: 394,
    says: 'Buckets are days, weeks from Monday, months, quarters and years',
    services,
    verdict: 'held',
    tests: [`${ZONES} > a bucket > of a week begins on Monday, and those of months, quarters and years on their first days`],
  },
  { line: 394, says: 'Buckets take an explicit time range', services, verdict: 'held', tests: [REFUSAL] },
  {
    line: 394,
    says: 'A bucket without records is not there',
    services,
    verdict: 'held',
    tests: [`${ZONES} > a bucket > is named by its first day in the zone, and is not there when nothing lies in it`],
  },
  {
    line: 395,
    says: 'Ids that are not given are made of field, bucket and aggregation',
    services,
    verdict: 'held',
    tests: [
      `${ENGINE} > ids > are made of the rest, and numbered when they would be the same`,
      `${CATALOG} > all that the catalog tells of a root can be asked > its buckets: %s`,
    ],
  },
  {
    line: 395,
    says: 'Given ids are kept, valid and unique',
    services,
    verdict: 'held by assumption',
    tests: [`${ENGINE} > ids > are made of the rest, and numbered when they would be the same`, REFUSAL],
  },
  {
    line: 395,
    says: 'Ids that would be the same are numbered',
    services,
    verdict: 'held by assumption',
    tests: [`${ENGINE} > ids > are made of the rest, and numbered when they would be the same`],
  },
  { line: 395, says: 'A sort by an empty column is refused', services, verdict: 'held', tests: [REFUSAL] },
  {
    line: 395,
    says: 'The normalized query has all ids',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > ids > are made of the rest, and numbered when they would be the same`],
  },
  {
    line: 396,
    says: 'Relative periods are days, weeks, months, quarters, years and rolling ones',
    services,
    verdict: 'held',
    tests: [`${ZONES} > a relative range > of %s, shifted by %i, has whole days`],
  },
  {
    line: 396,
    says: 'Rolling periods end today, or with this month',
    services,
    verdict: 'held',
    tests: [
      `${ZONES} > a relative range > of %s, shifted by %i, has whole days`,
      `${ZONES} > a relative range > goes from the last day of a month to whole months`,
    ],
  },
  {
    line: 396,
    says: 'An offset shifts by whole periods, rolling ones by their length',
    services,
    verdict: 'held',
    tests: [`${ZONES} > a relative range > of %s, shifted by %i, has whole days`],
  },
  {
    line: 396,
    says: 'The bounds of a range are answered absolute, without the end',
    services,
    verdict: 'held',
    tests: [`${ZONES} > a range of days > in %s is %s from its first moment to that of the next`],
  },
  {
    line: 396,
    says: 'The normalized query keeps ranges relative',
    services,
    verdict: 'held',
    tests: [`${ENGINE} > the normalized query > has what was left out, and keeps what is relative`],
  },
  {
    line: 396,
    says: 'Two periods are compared by two requests',
    services,
    verdict: 'not observable here',
    reason: 'It tells callers what to do, and nothing of an answer.',
  },
];
