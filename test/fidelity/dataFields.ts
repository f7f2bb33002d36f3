import type { Sentence } from './sentence.ts';

/** Of data fields and portfolios (2.1, 2.3, 4.3). */
export const DATA_FIELDS: readonly Sentence[] = [
  {
    line: 38,
    says: 'Data fields are listed by the names that records use',
    services: ['DataField'],
    verdict: 'held',
    tests: ['test/sandbox/customers/dataFields.test.ts > DataField/ListDataFields > lists fields of every type, each name once'],
  },
  {
    line: 38,
    says: 'Inner ids of data fields are not told',
    services: ['DataField'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/dataFields.test.ts > DataField/ListDataFields > names no internal ids: a field is known by its name alone',
    ],
  },
  {
    line: 214,
    says: 'Definitions of data fields are listed',
    services: ['DataField'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/dataFields.test.ts > DataField/ListDataFields > lists fields of every type, each name once',
      'test/sandbox/customers/dataFields.test.ts > DataField/ListDataFields > gives currency fields a currency, select fields their options, and other fields neither',
    ],
  },
  {
    line: 56,
    says: 'A portfolio has a contact beside all that a customer has',
    services: ['Portfolio'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/portfolios.test.ts > Portfolio/CreatePortfolio > answers 201 with a portfolio of the contact, which GetCustomer then answers as a customer',
    ],
  },
  {
    line: 56,
    says: 'A portfolio wants a contact that is there',
    services: ['Portfolio'],
    verdict: 'held',
    tests: ['test/sandbox/customers/portfolios.test.ts > Portfolio/CreatePortfolio > wants a contact that exists'],
  },
  {
    line: 56,
    says: 'The contact of a portfolio is made before',
    services: ['Portfolio'],
    verdict: 'held',
    tests: ['test/sandbox/customers/portfolios.test.ts > Portfolio/CreatePortfolio > is found among the portfolios of its contact'],
  },
  {
    line: 56,
    says: 'Creating answers the new portfolio with 201',
    services: ['Portfolio'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/portfolios.test.ts > Portfolio/CreatePortfolio > answers 201 with a portfolio of the contact, which GetCustomer then answers as a customer',
    ],
  },
  {
    line: 58,
    says: 'Changing values of a portfolio answers the portfolio',
    services: ['Portfolio'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/portfolios.test.ts > Portfolio/PatchPortfolioDataFields > sets the named fields, clears those that are null, and keeps the rest',
    ],
  },
  {
    line: 58,
    says: 'Values may be any JSON',
    services: ['Portfolio'],
    verdict: 'differs',
    tests: [
      'test/sandbox/customers/dataFields.test.ts > values of data fields > refuses objects and lists for other types',
      'test/sandbox/customers/dataFields.test.ts > values of data fields > keeps names that the workspace has no field for, also when their values are not text',
    ],
  },
  {
    line: 62,
    says: 'Changed values are named by their data fields',
    services: ['Portfolio'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/portfolios.test.ts > Portfolio/PatchPortfolioDataFields > sets the named fields, clears those that are null, and keeps the rest',
    ],
  },
  {
    line: 63,
    says: 'Null takes a value away',
    services: ['Portfolio'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/dataFields.test.ts > values of data fields > clears a field with null, a known and an unknown one, and leaves the others alone',
    ],
  },
  {
    line: 64,
    says: 'Values that are left out stay',
    services: ['Portfolio'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/portfolios.test.ts > Portfolio/PatchPortfolioDataFields > sets the named fields, clears those that are null, and keeps the rest',
    ],
  },
  {
    line: 31,
    says: 'Money in data fields is text of whole cents',
    services: ['Portfolio', 'Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/dataFields.test.ts > values of data fields > takes the currency amount %s, in whole cents'],
  },
  {
    line: 31,
    says: 'Money with a decimal point is refused in data fields',
    services: ['Portfolio', 'Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/dataFields.test.ts > values of data fields > refuses the currency amount %j'],
  },
  {
    line: 65,
    says: 'Changed money is text of whole cents too',
    services: ['Portfolio', 'Customer'],
    verdict: 'held',
    tests: [
      'test/sandbox/customers/portfolios.test.ts > Portfolio/PatchPortfolioDataFields > holds values to the rules of their types',
      'test/sandbox/customers/dataFields.test.ts > values of data fields > takes the currency amount %s, in whole cents',
    ],
  },
  {
    line: 66,
    says: 'A location is JSON inside a text',
    services: ['Portfolio', 'Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/dataFields.test.ts > values of data fields > refuses a location that is %s'],
  },
  {
    line: 66,
    says: 'A location may leave any property out',
    services: ['Portfolio', 'Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/dataFields.test.ts > values of data fields > takes a location %s'],
  },
  {
    line: 66,
    says: 'A location has eight properties',
    services: ['Portfolio', 'Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/dataFields.test.ts > values of data fields > takes a location %s'],
  },
  {
    line: 66,
    says: 'Both coordinates are given or neither',
    services: ['Portfolio', 'Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/dataFields.test.ts > values of data fields > refuses a location that is %s'],
  },
  {
    line: 66,
    says: 'Coordinates lie on the globe',
    services: ['Portfolio', 'Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/dataFields.test.ts > values of data fields > refuses a location that is %s'],
  },
  {
    line: 67,
    says: 'A company is JSON inside a text, of three properties',
    services: ['Portfolio', 'Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/dataFields.test.ts > values of data fields > takes a company %s'],
  },
  {
    line: 67,
    says: 'A company says at least something',
    services: ['Portfolio', 'Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/dataFields.test.ts > values of data fields > refuses a company %s'],
  },
  {
    line: 67,
    says: 'A company with properties that nobody knows is refused',
    services: ['Portfolio', 'Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/dataFields.test.ts > values of data fields > refuses a company %s'],
  },
  {
    line: 67,
    says: 'A company with null is refused',
    services: ['Portfolio', 'Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/dataFields.test.ts > values of data fields > refuses a company %s'],
  },
  {
    line: 67,
    says: 'A company with anything but texts is refused',
    services: ['Portfolio', 'Customer'],
    verdict: 'held',
    tests: ['test/sandbox/customers/dataFields.test.ts > values of data fields > refuses a company %s'],
  },
];
