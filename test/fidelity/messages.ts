import type { Sentence } from './sentence.ts';

const SANDBOX = 'test/sandbox/work/actionRequests.test.ts';
const GRAPH = 'test/graph/work/actionRequests.test.ts';
const TEMPLATES = 'test/sandbox/messages/templates.test.ts';

/** Of action requests, templates of messages and correspondence (4.8, 4.10). */
export const MESSAGES: readonly Sentence[] = [
  {
    line: 168,
    says: 'A pending request becomes cancelled',
    services: ['ActionRequest'],
    verdict: 'held',
    tests: [
      `${SANDBOX} > an action request > is cancelled while it is pending, and refused when it is terminal`,
      `${GRAPH} > Mutation.actionRequestCancel > is done once for one key; under another one the state bars it`,
    ],
  },
  {
    line: 168,
    says: 'Customers cannot complete a request any more once it is cancelled',
    services: ['ActionRequest'],
    verdict: 'not observable here',
    reason: 'No operation completes a request: customers do so in their portal, which the sandbox does not have.',
  },
  {
    line: 295,
    says: 'Creating again makes another request',
    services: ['ActionRequest'],
    verdict: 'held',
    tests: [`${SANDBOX} > an action request > is made a second time when its creation is repeated`],
  },
  {
    line: 296,
    says: 'A request is read by an id that stays',
    services: ['ActionRequest'],
    verdict: 'held',
    tests: [`${SANDBOX} > an action request > is pending when it is created, and is read by its id`],
  },
  {
    line: 297,
    says: 'The youngest request is listed first',
    services: ['ActionRequest'],
    verdict: 'held',
    tests: [
      `${SANDBOX} > the list of action requests > is newest first, of all customers`,
      `${GRAPH} > action requests > hang off their customer and stand at the root, newest first, in one call each`,
    ],
  },
  {
    line: 297,
    says: 'Requests are filtered by customer and status, or not at all',
    services: ['ActionRequest'],
    verdict: 'held',
    tests: [
      `${SANDBOX} > the list of action requests > is filtered by customer and by status`,
      `${GRAPH} > action requests > are filtered by status`,
    ],
  },
  {
    line: 297,
    says: 'Without a page the first 25 requests are listed',
    services: ['ActionRequest'],
    verdict: 'held',
    tests: [`${SANDBOX} > the list of action requests > begins with the first page of 25 rows unless told otherwise`],
  },
  {
    line: 298,
    says: 'Cancelling again is refused',
    services: ['ActionRequest'],
    verdict: 'held',
    tests: [
      `${SANDBOX} > an action request > is cancelled while it is pending, and refused when it is terminal`,
      `${SANDBOX} > an action request > is cancelled once when two ask for it at the same time`,
    ],
  },
  {
    line: 299,
    says: 'Customers are notified by text message, by mail or both',
    services: ['ActionRequest'],
    verdict: 'held by assumption',
    tests: [`${SANDBOX} > the notification of an action request > is sent %s, as the customer can be reached`],
  },
  {
    line: 299,
    says: 'Each notification has a portal link of its own',
    services: ['ActionRequest'],
    verdict: 'held',
    tests: [`${SANDBOX} > the notification of an action request > is sent each time, with another link that is kept nowhere`],
  },
  {
    line: 299,
    says: 'Each call notifies the customer anew',
    services: ['ActionRequest'],
    verdict: 'held',
    tests: [
      `${SANDBOX} > the notification of an action request > is sent each time, with another link that is kept nowhere`,
      `${GRAPH} > Mutation.actionRequestNotificationSend > sends once by one key, as the outbox proves, and again by another`,
    ],
  },
  {
    line: 490,
    says: 'The customer is who gets the notification',
    services: ['ActionRequest'],
    verdict: 'held',
    tests: [`${SANDBOX} > the notification of an action request > is sent %s, as the customer can be reached`],
  },
  {
    line: 510,
    says: 'Terminal requests are not cancelled',
    services: ['ActionRequest'],
    verdict: 'held',
    tests: [
      `${SANDBOX} > an action request > is cancelled while it is pending, and refused when it is terminal`,
      `${GRAPH} > Mutation.actionRequestCancel > is barred by the state of one that is %s`,
    ],
  },
  {
    line: 521,
    says: 'A page of requests has 25 rows unless told otherwise',
    services: ['ActionRequest'],
    verdict: 'held',
    tests: [`${SANDBOX} > the list of action requests > begins with the first page of 25 rows unless told otherwise`],
  },
  {
    line: 325,
    says: 'Email templates are listed, read, and created as drafts',
    services: ['EmailTemplate'],
    verdict: 'held',
    tests: [`${TEMPLATES} > a template > is created as a draft, which is not published and sends nothing: %s`],
  },
  {
    line: 325,
    says: 'New email templates are plain text',
    services: ['EmailTemplate'],
    verdict: 'held by assumption',
    tests: [`${TEMPLATES} > a template > is created as a draft, which is not published and sends nothing: %s`],
  },
  {
    line: 326,
    says: 'Document templates are listed, read, and created as drafts',
    services: ['DocumentTemplate'],
    verdict: 'held',
    tests: [`${TEMPLATES} > a template > is created as a draft, which is not published and sends nothing: %s`],
  },
  {
    line: 326,
    says: 'New document templates are a blank PDF',
    services: ['DocumentTemplate'],
    verdict: 'not observable here',
    reason: 'Contents of a document template are in no answer of the contract.',
  },
  {
    line: 332,
    says: 'Creating a template publishes, sends and makes nothing',
    services: ['EmailTemplate', 'DocumentTemplate'],
    verdict: 'held',
    tests: [`${TEMPLATES} > a template > is created as a draft, which is not published and sends nothing: %s`],
  },
  {
    line: 413,
    says: 'Templates are read by who may read the settings',
    services: ['EmailTemplate', 'DocumentTemplate'],
    verdict: 'held',
    tests: [`${TEMPLATES} > a template > takes the settings to read, and to write them: %s`],
  },
  {
    line: 413,
    says: 'Template drafts are created by who may write the settings',
    services: ['EmailTemplate', 'DocumentTemplate'],
    verdict: 'held',
    tests: [`${TEMPLATES} > a template > takes the settings to read, and to write them: %s`],
  },
  {
    line: 330,
    says: 'A message is added as a record',
    services: ['Correspondence'],
    verdict: 'held',
    tests: ['test/sandbox/messages/correspondence.test.ts > a message of the correspondence > is added as a record, and sent to nobody'],
  },
];
