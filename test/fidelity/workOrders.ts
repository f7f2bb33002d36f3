import type { Sentence } from './sentence.ts';

const SANDBOX = 'test/sandbox/work/workOrders.test.ts';
const TEMPLATES = 'test/sandbox/work/workOrderTemplates.test.ts';
const GRAPH = 'test/graph/work/workOrders.test.ts';
const WORK_ORDER = ['WorkOrder'];
const LIMITS = [
  `${SANDBOX} > a new work order > is refused with %s`,
  `${SANDBOX} > a new work order > takes as much as the limits allow, beside what it inherits`,
];

/** Of work orders, their templates, and workflow automations (2.6, 4.4, 4.10). */
export const WORK_ORDERS: readonly Sentence[] = [
  {
    line: 114,
    says: 'A work order is made for a customer, always',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [`${SANDBOX} > a new work order > is refused with %s`],
  },
  {
    line: 115,
    says: 'The location is a field that the customer has a value for',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [
      `${SANDBOX} > a new work order > must name a location unless its template prefers one that the customer has`,
      `${SANDBOX} > the locations of a customer > are those that have a value, and that the Customer View shows`,
    ],
  },
  {
    line: 115,
    says: 'The location may be left out when the preferred one will do',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [
      `${SANDBOX} > a new work order > must name a location unless its template prefers one that the customer has`,
      `${SANDBOX} > a new work order > is not made at the preferred location of a template when the Customer View hides that`,
    ],
  },
  {
    line: 116,
    says: 'The title is inherited, or must be given, and is limited',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [`${SANDBOX} > a new work order > inherits the title, the description and the tasks of its template`, ...LIMITS],
  },
  {
    line: 117,
    says: 'An empty description is inherited, and a given one is limited',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [
      `${SANDBOX} > a new work order > inherits the title, the description and the tasks of its template`,
      `${SANDBOX} > a new work order > has its own title and description where it is given them`,
      ...LIMITS,
    ],
  },
  {
    line: 118,
    says: 'Tasks are limited, and come behind those of the template',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [`${SANDBOX} > a new work order > inherits the title, the description and the tasks of its template`, ...LIMITS],
  },
  {
    line: 121,
    says: 'Workflows and advanced tasks are no inputs of a new work order',
    services: WORK_ORDER,
    verdict: 'not observable here',
    reason: 'Absence of members; the contract has none of them.',
  },
  {
    line: 121,
    says: 'A template that says so demands a location, whatever the customer holds',
    services: ['WorkOrder', 'WorkOrderTemplate'],
    verdict: 'held by assumption',
    tests: [
      `${TEMPLATES} > a template > demands a location by its field alone, whatever customers hold`,
      `${SANDBOX} > a new work order > must name a location unless its template prefers one that the customer has`,
    ],
  },
  {
    line: 160,
    says: 'Completion waits for tasks and advanced tasks',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [
      `${SANDBOX} > the completion of a work order > waits for the tasks, and for the advanced tasks`,
      `${GRAPH} > a step of a work order > is barred by tasks and by advanced tasks, each told by its code, until they are complete`,
    ],
  },
  {
    line: 160,
    says: 'A completed work order is answered unchanged, without a second event',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [
      `${SANDBOX} > the completion of a work order > emits an event once, and answers a completed one unchanged`,
      `${GRAPH} > a step of a work order > is done once, and is UNCHANGED from then on, without a second event: %s`,
    ],
  },
  {
    line: 161,
    says: 'Cancelling what is completed or cancelled answers it unchanged, without a second event',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [
      `${SANDBOX} > the cancellation of a work order > emits an event once, and answers a cancelled one unchanged, tasks or not`,
      `${SANDBOX} > the cancellation of a work order > answers a completed one as it is, which stays completed`,
      `${GRAPH} > a step of a work order > cancels no completed work order, and says so`,
    ],
  },
  {
    line: 228,
    says: 'A repeat of a creation makes a second work order',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [`${SANDBOX} > a new work order > is made twice by the same request`],
  },
  {
    line: 229,
    says: 'A work order is read in its own workspace only',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [`${SANDBOX} > lists of work orders > show those of the own workspace only`],
  },
  {
    line: 229,
    says: 'A work order comes with one page of its tasks',
    services: WORK_ORDER,
    verdict: 'held by assumption',
    tests: [
      `${SANDBOX} > a new work order > takes as much as the limits allow, beside what it inherits`,
      `${GRAPH} > a customer’s work orders > with their tasks take one call when a work order is read by its id`,
    ],
  },
  {
    line: 230,
    says: 'Locations that have a value and are seen can be chosen by label',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [
      `${SANDBOX} > the locations of a customer > are those that have a value, and that the Customer View shows`,
      `${SANDBOX} > the locations of a customer > tell which one the template prefers`,
    ],
  },
  {
    line: 231,
    says: 'The list shows 100 by default, of all, of a customer, or of a state',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [
      `${SANDBOX} > lists of work orders > show 100 by default`,
      `${SANDBOX} > lists of work orders > are of all, of a customer, or of a state`,
    ],
  },
  {
    line: 232,
    says: 'Work orders are found by text',
    services: WORK_ORDER,
    verdict: 'held by assumption',
    tests: [`${SANDBOX} > lists of work orders > are searched by title and description`],
  },
  {
    line: 233,
    says: 'An update keeps to what the caller sees of the customer',
    services: WORK_ORDER,
    verdict: 'held by assumption',
    tests: [
      `${SANDBOX} > an update of a work order > is refused with a location that the Customer View hides, or that the customer has no value for`,
    ],
  },
  {
    line: 234,
    says: 'Completion and cancellation are not repeated blindly',
    services: WORK_ORDER,
    verdict: 'held by assumption',
    tests: [
      `${GRAPH} > a step of a work order > that never arrived is unknown, and is not sent again`,
      `${GRAPH} > a step of a work order > is REPLAYED under its key, though the work order was opened since, and nothing is sent`,
    ],
  },
  {
    line: 235,
    says: 'Templates are listed, read, created, changed and archived',
    services: ['WorkOrderTemplate'],
    verdict: 'held by assumption',
    tests: [
      `${TEMPLATES} > a template > is created as it can be read afterwards`,
      `${TEMPLATES} > a template > keeps what an update leaves out, and the work orders that were made of it keep what they inherited`,
      `${TEMPLATES} > a template > is archived once, stays readable, and is listed among the archived`,
      `${TEMPLATES} > a template > offers the fields that hold locations`,
    ],
  },
  {
    line: 237,
    says: 'A hidden location is refused before its value is looked at',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [
      `${SANDBOX} > a new work order > is not made at a field that the Customer View hides, whether the customer has a value there or not`,
      `${GRAPH} > Mutation.workOrderCreate > is forbidden at a location that the Customer View of the key hides`,
    ],
  },
  {
    line: 237,
    says: 'Creation takes access to work orders, customers and templates',
    services: WORK_ORDER,
    verdict: 'held by assumption',
    tests: [
      `${SANDBOX} > a new work order > is not made by a member who %s`,
      `${SANDBOX} > a new work order > is made by a member who may write work orders and customers`,
    ],
  },
  {
    line: 328,
    says: 'Workflow automations can be read',
    services: ['WorkflowAutomation'],
    verdict: 'held by assumption',
    tests: ['test/graph/work/workflowAutomations.test.ts > workflow automations > can be read, active or not'],
  },
  {
    line: 413,
    says: 'Templates are read by planners or with settings, and written with settings',
    services: ['WorkOrderTemplate'],
    verdict: 'held by assumption',
    tests: [
      `${TEMPLATES} > the permissions for templates > let those read who may read content templates, or settings`,
      `${TEMPLATES} > the permissions for templates > let those write who may write settings`,
    ],
  },
  {
    line: 413,
    says: 'Locations are told to those who may read customers',
    services: WORK_ORDER,
    verdict: 'held by assumption',
    tests: [`${SANDBOX} > the locations of a customer > take that customers may be read`],
  },
  {
    line: 444,
    says: 'Locations take the scopes of work orders and of customers',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [`${GRAPH} > Customer.workOrderLocations > takes both scopes`],
  },
  {
    line: 489,
    says: 'A step of a work order emits its event the first time only',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [
      `${SANDBOX} > the completion of a work order > emits an event once, and answers a completed one unchanged`,
      `${SANDBOX} > the completion of a work order > and the cancellation, asked for at once, take effect once together`,
    ],
  },
  {
    line: 510,
    says: 'Completion with incomplete tasks is blocked',
    services: WORK_ORDER,
    verdict: 'held',
    tests: [`${SANDBOX} > the completion of a work order > waits for the tasks, and for the advanced tasks`],
  },
];
