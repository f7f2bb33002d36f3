import type { Sentence } from './sentence.ts';

/** Of the tool server (parts 1, 4.12, 5 and 8). The upstream has its own; ours, over the graph, stands for it here. */
export const TOOLS: readonly Sentence[] = [
  {
    line: 19,
    says: 'Tools have the scopes of the operations that they take',
    services: 'all',
    verdict: 'held',
    tests: [
      'test/graph/tools/reads.test.ts > every tool that reads > %s answers data with exactly the scopes that its missing ones tell, one by one',
    ],
  },
  {
    line: 19,
    says: 'Two tools are named: those of analytics',
    services: ['AnalyticsService'],
    verdict: 'held',
    tests: ['test/graph/tools/reads.test.ts > the tools of analytics > have the names that the upstream gives them'],
  },
  {
    line: 364,
    says: 'The catalog is a tool',
    services: ['AnalyticsService'],
    verdict: 'held',
    tests: ['test/graph/tools/reads.test.ts > the tools of analytics > have the names that the upstream gives them'],
  },
  {
    line: 365,
    says: 'Restricted SQL is a tool',
    services: ['AnalyticsService'],
    verdict: 'held',
    tests: ['test/graph/tools/reads.test.ts > the tools of analytics > count by SQL, in one call that is not sent again'],
  },
  {
    line: 366,
    says: 'Typed queries are no tool',
    services: ['AnalyticsService'],
    verdict: 'held',
    tests: ['test/graph/tools/reads.test.ts > the tools of analytics > have the names that the upstream gives them'],
  },
  {
    line: 409,
    says: 'Scopes mean the same for tools as for calls',
    services: 'all',
    verdict: 'held',
    tests: [
      'test/graph/tools/lists.test.ts > the list of tools > shows a key with the scopes %s the tools that it has all scopes for, letter by letter',
    ],
  },
  {
    line: 409,
    says: 'Wildcard keys do not reach tools',
    services: 'all',
    verdict: 'held',
    tests: [
      'test/graph/tools/lists.test.ts > the list of tools > shows a key with the scopes %s the tools that it has all scopes for, letter by letter',
      'test/graph/tools/reads.test.ts > the tools of analytics > are shown to no wildcard',
    ],
  },
  {
    line: 414,
    says: 'A switched-off tool server is told as such',
    services: 'all',
    verdict: 'held by assumption',
    tests: [
      'test/graph/tools/access.test.ts > a missing key, a missing scope, a denied record and a tool server that is off > are four answers',
      'test/graph/tools/access.test.ts > a missing key, a missing scope, a denied record and a tool server that is off > is 404 for every method and key while the tool server is off',
    ],
  },
  {
    line: 414,
    says: 'Tools tell missing keys, missing scopes and denied records apart',
    services: 'all',
    verdict: 'held by assumption',
    tests: [
      'test/graph/tools/access.test.ts > a missing key, a missing scope, a denied record and a tool server that is off > are four answers',
    ],
  },
  {
    line: 544,
    says: 'An envelope of the tool server has at most 256 KiB',
    services: 'all',
    verdict: 'held',
    tests: [
      'test/graph/tools/access.test.ts > a request > of more than 256 KiB is refused, also where it does not say so',
      'test/graph/tools/envelopes.test.ts > an envelope > of more than 256 KiB is not answered: a short failure is',
    ],
  },
];
