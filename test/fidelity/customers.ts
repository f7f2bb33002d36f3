import type { Sentence } from './sentence.ts';

/** Of customers, their timeline, comments, files and journey, and contacts (2.2, 2.9, 4.2). */
export const CUSTOMERS: readonly Sentence[] = [
  {
    line: 38,
    says: 'A customer has an id, a title, values by name and a number',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/customers.test.ts > Customer/CreateCustomer > answers 201 with a customer that GetCustomer then answers',
    ],
  },
  {
    line: 38,
    says: 'Values of data fields are texts under their names',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/customers.test.ts > Customer/GetCustomer > answers a customer with a value in every kind of data field',
    ],
  },
  {
    line: 38,
    says: 'Each customer has a reference number',
    services: ['Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/customers.test.ts > Customer/CreateCustomer > gives every customer the next reference number'],
  },
  {
    line: 38,
    says: 'Values of fields that nobody defined are kept',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/dataFields.test.ts > values of data fields > keeps names that the workspace has no field for, also when their values are not text',
    ],
  },
  {
    line: 45,
    says: 'Values of new customers are under the names of data fields',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/customers.test.ts > Customer/CreateCustomer > holds data fields to the rules of their types, and then makes no customer',
    ],
  },
  {
    line: 46,
    says: 'An expected closing moment may be given',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/largeQuantities.test.ts > other numbers of 64 bits > are moments in %s when they lie in the years 1 to 9999',
    ],
  },
  {
    line: 47,
    says: 'The name of a customer may be left out',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/largeQuantities.test.ts > other numbers of 64 bits > are moments in %s when they lie in the years 1 to 9999',
    ],
  },
  {
    line: 48,
    says: 'A mail address may be left out',
    services: ['Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/customers.test.ts > Customer/CreateCustomer > wants a title or a customer name'],
  },
  {
    line: 49,
    says: 'Phone numbers with a country code need no country',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/customers.test.ts > Customer/CreateCustomer > takes an international phone number without a country, and refuses a local one',
    ],
  },
  {
    line: 49,
    says: 'Local phone numbers want a country',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/customers.test.ts > Customer/CreateCustomer > takes an international phone number without a country, and refuses a local one',
      'test/sandbox/kernel/decoding.test.ts > a phone number > is refused for a country that nobody knows, also without a number',
    ],
  },
  {
    line: 50,
    says: 'Countries are known by their two letters',
    services: ['Customer'],
    verdict: 'held',
    tests: ['test/sandbox/kernel/decoding.test.ts > a phone number > is refused for a country that nobody knows, also without a number'],
  },
  {
    line: 52,
    says: 'Creating answers the new customer with 201',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/customers.test.ts > Customer/CreateCustomer > answers 201 with a customer that GetCustomer then answers',
    ],
  },
  {
    line: 69,
    says: 'Values of a customer are changed like those of a portfolio',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/customers.test.ts > Customer/PatchCustomerDataFields > sets the named fields, clears those that are null, and keeps the rest',
      'test/sandbox/customers/customers.test.ts > Customer/PatchCustomerDataFields > takes portfolios as well',
    ],
  },
  {
    line: 197,
    says: 'A customer is read by its id',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/customers.test.ts > Customer/GetCustomer > answers a customer with a value in every kind of data field',
      'test/sandbox/customers/customers.test.ts > Customer/GetCustomer > does not find customers of another workspace',
    ],
  },
  {
    line: 198,
    says: 'Customers are found by a text',
    services: ['Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/customers.test.ts > Customer/SearchCustomers > finds customers by a part of their %s'],
  },
  {
    line: 198,
    says: 'Customers are found by an identifier',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/customers.test.ts > Customer/LookupCustomersByIdentifier > finds by email without regard to case, and only by all of it',
      'test/sandbox/customers/customers.test.ts > Customer/LookupCustomersByIdentifier > finds by phone however it is written',
      'test/sandbox/customers/customers.test.ts > Customer/LookupCustomersByIdentifier > finds by the exact reference number',
    ],
  },
  {
    line: 199,
    says: 'A customer is changed in part',
    services: ['Customer'],
    verdict: 'held by assumption',
    tests: ['test/sandbox/customers/customers.test.ts > Customer/PatchCustomer > changes what is given and leaves the rest alone'],
  },
  {
    line: 200,
    says: 'Values are set by the names of their fields',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/customers.test.ts > Customer/PatchCustomerDataFields > sets the named fields, clears those that are null, and keeps the rest',
    ],
  },
  {
    line: 146,
    says: 'Events have an id, a kind, a record, a summary and a moment',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/timeline.test.ts > Customer/ListCustomerTimelineEvents > has several kinds of events for the first demo customer, and shows no more of each than its summary',
    ],
  },
  {
    line: 146,
    says: 'Summaries are bounded',
    services: ['Customer'],
    verdict: 'held by assumption',
    tests: [
      'test/sandbox/customers/timeline.test.ts > a summary that the sandbox composes > is cut to 1,000 characters, and never in half of one',
      'test/sandbox/customers/timeline.test.ts > Customer/CreateCustomerEvent > keeps a summary of the longest allowed length whole, and counts characters and not their halves',
    ],
  },
  {
    line: 146,
    says: 'The contents of an event are not shown',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/timeline.test.ts > Customer/ListCustomerTimelineEvents > has several kinds of events for the first demo customer, and shows no more of each than its summary',
    ],
  },
  {
    line: 201,
    says: 'The timeline is of one customer, and on request of one transaction',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/timeline.test.ts > Customer/ListCustomerTimelineEvents > keeps to the customer that is named, and to the workspace',
      'test/sandbox/customers/timeline.test.ts > Customer/ListCustomerTimelineEvents > lists one transaction only when it is named',
    ],
  },
  {
    line: 201,
    says: 'The timeline begins with its newest event',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/timeline.test.ts > Customer/ListCustomerTimelineEvents > lists the newest first, and events of one second in the order in which they were written',
    ],
  },
  {
    line: 201,
    says: 'The timeline leaves out events that the member may not see',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/timeline.test.ts > Customer/ListCustomerTimelineEvents > shows audit and order events to those who may see these, and the rest to everybody',
    ],
  },
  {
    line: 201,
    says: 'Reading the timeline changes nothing',
    services: ['Customer'],
    verdict: 'not observable here',
    reason: 'Absence of an effect; the operation has no code that writes.',
  },
  {
    line: 202,
    says: 'Comments are written, listed, and read with their history',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/comments.test.ts > Customer/CreateCustomerComment > writes a comment in the name of the key’s account, and an event of it',
      'test/sandbox/customers/comments.test.ts > Customer/ListCustomerComments > lists the newest first',
      'test/sandbox/customers/comments.test.ts > Customer/ListCustomerCommentHistory > holds every text of an edited comment, the current one first',
    ],
  },
  {
    line: 202,
    says: 'Comments with files also want the scope to read files',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/comments.test.ts > Customer/CreateCustomerComment > also needs the right to read files when it carries some',
    ],
  },
  {
    line: 203,
    says: 'Documents and photos are uploaded in two steps',
    services: ['Customer'],
    verdict: 'held by assumption',
    tests: [
      'test/sandbox/customers/files.test.ts > uploads > keep every byte as it is',
      'test/sandbox/customers/files.test.ts > uploads > are not complete before the bytes have arrived',
      'test/sandbox/customers/files.test.ts > uploads > are completed only as what they are',
    ],
  },
  {
    line: 203,
    says: 'Files are listed',
    services: ['Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/files.test.ts > Customer/ListCustomerFiles > lists the newest first, all of them or one kind'],
  },
  {
    line: 203,
    says: 'Files are downloaded by a link',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/files.test.ts > Customer/GetCustomerFileDownloadLink > gives a link to the bytes that needs no key, as an attachment of the file’s type',
    ],
  },
  {
    line: 204,
    says: 'Events can be recorded',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/timeline.test.ts > Customer/CreateCustomerEvent > records an event that the timeline then shows, now unless a moment is given',
    ],
  },
  {
    line: 488,
    says: 'A comment makes an event of its own kind',
    services: ['Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/comments.test.ts > Customer/CreateCustomerComment > writes a comment in the name of the key’s account, and an event of it',
    ],
  },
  {
    line: 205,
    says: 'The status in the journey is set',
    services: ['Journey'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/journey.test.ts > Journey/SetCustomerJourneyStatus > gives the status to the customer, and writes an event',
    ],
  },
  {
    line: 205,
    says: 'The status in the journey is cleared',
    services: ['Journey'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/journey.test.ts > Journey/ClearCustomerJourneyStatus > takes the status away and writes an event; a repeat does neither',
    ],
  },
  {
    line: 205,
    says: 'The stages of the journey are listed with their statuses',
    services: ['Journey'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/journey.test.ts > Journey/ListJourneyConfig > lists the stages with their statuses, in the order of the journey',
    ],
  },
  {
    line: 206,
    says: 'A contact is made and read',
    services: ['Contact'],
    verdict: 'held',
    tests: ['test/sandbox/customers/contacts.test.ts > Contact/CreateContact > makes a contact that GetContact then answers'],
  },
  {
    line: 206,
    says: 'Contacts are listed',
    services: ['Contact'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/contacts.test.ts > Contact/ListContacts > reads page after page without a gap, and says when there is no more',
    ],
  },
  {
    line: 206,
    says: 'A contact is changed',
    services: ['Contact'],
    verdict: 'held',
    tests: [
      'test/graph/customers/contacts.test.ts > Mutation.contactUpdate > changes what is given, leaves what is left out, and clears what is null',
    ],
  },
];
