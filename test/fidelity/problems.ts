import type { Sentence } from './sentence.ts';

const SANDBOX = 'test/sandbox/work/problems.test.ts';
const TASKS = 'test/sandbox/work/advancedTasks.test.ts';
const GRAPH = 'test/graph/work/problems.test.ts';

/** Of problems, their templates and advanced tasks (part 3, 4.3, 4.10). */
export const PROBLEMS: readonly Sentence[] = [
  {
    line: 162,
    says: 'A problem is resolved, closed or archived by the operation of its status',
    services: ['Problem'],
    verdict: 'held',
    tests: [`${SANDBOX} > the status of a problem > is %s`],
  },
  {
    line: 162,
    says: 'Incomplete tasks bar a resolution',
    services: ['Problem', 'AdvancedTask'],
    verdict: 'held by assumption',
    tests: [
      `${SANDBOX} > the status of a problem > is not resolved while a task is incomplete`,
      `${TASKS} > an advanced task > bars its owner while it is open`,
    ],
  },
  {
    line: 162,
    says: 'Disabled solving by hand bars a resolution',
    services: ['Problem'],
    verdict: 'held by assumption',
    tests: [
      `${SANDBOX} > the status of a problem > is not resolved by hand where the template disables it, and is closed all the same`,
      `${GRAPH} > Mutation.problemResolve > tells incomplete tasks from solving by hand that is disabled, and both where there are both`,
    ],
  },
  {
    line: 162,
    says: 'An update of a problem takes none of these steps',
    services: ['Problem'],
    verdict: 'held',
    tests: [`${SANDBOX} > the status of a problem > is left alone by an update, whatever it is sent`],
  },
  {
    line: 177,
    says: 'No step of a problem leads back',
    services: ['Problem'],
    verdict: 'held by assumption',
    tests: [`${SANDBOX} > the status of a problem > does not go back: after %s there is no %s`],
  },
  {
    line: 215,
    says: 'A problem is general or comes from a template',
    services: ['Problem', 'ProblemTemplate'],
    verdict: 'held',
    tests: [
      `${SANDBOX} > a new problem > belongs to a portfolio, and needs neither customer nor template`,
      `${SANDBOX} > a new problem > takes the texts of its template where it has none`,
    ],
  },
  {
    line: 215,
    says: 'A problem belongs to a portfolio',
    services: ['Problem'],
    verdict: 'held by assumption',
    tests: [
      `${SANDBOX} > a new problem > belongs to a portfolio, and needs neither customer nor template`,
      `${SANDBOX} > problems > are listed by portfolio, by customer and by status, each a reference of its own`,
    ],
  },
  {
    line: 215,
    says: 'A template with advanced tasks demands a customer',
    services: ['Problem', 'ProblemTemplate', 'AdvancedTask'],
    verdict: 'held',
    tests: [`${SANDBOX} > a new problem > must have a customer when its template has advanced tasks, and gets a task of each`],
  },
  {
    line: 215,
    says: 'Creating again makes another problem',
    services: ['Problem'],
    verdict: 'held',
    tests: [`${SANDBOX} > a new problem > is made twice by a repeat`],
  },
  {
    line: 216,
    says: 'The detail of a problem is bounded',
    services: ['Problem'],
    verdict: 'held by assumption',
    tests: [`${SANDBOX} > a comment on a problem > is among the newest hundred that a problem is answered with`],
  },
  {
    line: 216,
    says: 'Reading a problem leaves it unseen in the inbox',
    services: ['Problem'],
    verdict: 'not observable here',
    reason: 'No operation tells the inbox.',
  },
  {
    line: 217,
    says: 'Lists of problems start at the first page, of 25',
    services: ['Problem'],
    verdict: 'held',
    tests: [`${SANDBOX} > problems > are listed 25 at a time unless another size is asked for`],
  },
  {
    line: 218,
    says: 'Problems are searched',
    services: ['Problem'],
    verdict: 'held by assumption',
    tests: [`${SANDBOX} > problems > are found by title and description, by those who may read planning`],
  },
  {
    line: 219,
    says: 'Everyday fields of a problem are updated',
    services: ['Problem'],
    verdict: 'held by assumption',
    tests: [`${GRAPH} > the steps of a problem > are no part of an update`],
  },
  {
    line: 221,
    says: 'A comment is attributed to the member of the key',
    services: ['Problem'],
    verdict: 'held',
    tests: [`${SANDBOX} > a comment on a problem > is written by the member of the key, and told to the subscribers but for the author`],
  },
  {
    line: 221,
    says: 'Comments are plain text that is kept as it is',
    services: ['Problem'],
    verdict: 'not observable here',
    reason: 'Nothing in the interface renders a comment.',
  },
  {
    line: 221,
    says: 'Commenting again notifies again',
    services: ['Problem'],
    verdict: 'held',
    tests: [
      `${SANDBOX} > a comment on a problem > is sent again by a repeat`,
      `${GRAPH} > Mutation.problemCommentAdd > notifies the subscribers once for one key`,
    ],
  },
  {
    line: 222,
    says: 'Templates of problems are listed, read and made',
    services: ['ProblemTemplate'],
    verdict: 'held by assumption',
    tests: [`${TASKS} > definitions and templates > of problems are made by those who may change settings`],
  },
  {
    line: 329,
    says: 'Advanced tasks are listed, updated and attached',
    services: ['AdvancedTask'],
    verdict: 'held by assumption',
    tests: [
      `${TASKS} > an advanced task > is attached to an open problem or an open work order, and to one of them`,
      `${TASKS} > an advanced task > is completed with a value for each required field, and opened again`,
      `${TASKS} > an advanced task > is listed by its problem, its work order and its status`,
    ],
  },
  {
    line: 413,
    says: 'Templates of problems are found by readers of content templates',
    services: ['ProblemTemplate'],
    verdict: 'held by assumption',
    tests: [`${TASKS} > definitions and templates > are read by those who may read settings, and content templates by planners`],
  },
  {
    line: 413,
    says: 'Problems from a template take the right to read content templates',
    services: ['Problem'],
    verdict: 'not observable here',
    reason: 'No area of roles is named for it; we count content templates to planning, which problems take anyway.',
  },
  {
    line: 413,
    says: 'Templates of problems are made by those who change settings',
    services: ['ProblemTemplate'],
    verdict: 'held',
    tests: [`${TASKS} > definitions and templates > of problems are made by those who may change settings`],
  },
  {
    line: 413,
    says: 'Definitions of advanced tasks are read by readers of settings',
    services: ['AdvancedTask'],
    verdict: 'held',
    tests: [`${TASKS} > definitions and templates > are read by those who may read settings, and content templates by planners`],
  },
  {
    line: 413,
    says: 'A problem with a customer takes the right to change customers as well',
    services: ['Problem'],
    verdict: 'held by assumption',
    tests: [`${SANDBOX} > a new problem > is linked to a customer by those who may change customers`],
  },
  {
    line: 490,
    says: 'Subscribers of a problem are told of comments',
    services: ['Problem'],
    verdict: 'held by assumption',
    tests: [
      `${SANDBOX} > a comment on a problem > is written by the member of the key, and told to the subscribers but for the author`,
      `${SANDBOX} > a comment on a problem > is told to nobody who is no member any more`,
    ],
  },
  {
    line: 510,
    says: 'A resolution that is barred is refused and changes nothing',
    services: ['Problem'],
    verdict: 'held',
    tests: [
      `${SANDBOX} > the status of a problem > is not resolved while a task is incomplete`,
      `${GRAPH} > Mutation.problemResolve > tells incomplete tasks from solving by hand that is disabled, and both where there are both`,
    ],
  },
];
