import type { Sentence } from './sentence.ts';

/** Of receipts and backorders (2.8, 3, 4.11, 8). */
export const RECEIPTS: readonly Sentence[] = [
  {
    line: 139,
    says: 'A draft has an id and a state',
    services: ['Inventory'],
    verdict: 'held by assumption',
    tests: ['test/sandbox/inventory/receipts.test.ts > Inventory/CreateInventoryReceipt > makes a draft that changes no stock'],
  },
  {
    line: 139,
    says: 'Lines have an id, a product, a quantity and notes',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/GetInventoryReceipt > orders lines by when they were made, and by id within a second',
    ],
  },
  {
    line: 140,
    says: 'A backorder tells its state in lowercase',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/backorders.test.ts > Inventory/ListInventoryBackorders > tells open from received ones by the lowercase word, and lists both when none is given',
    ],
  },
  {
    line: 140,
    says: 'A backorder makes stock inbound',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/backorders.test.ts > Inventory/CreateInventoryBackorder > makes stock inbound, and none available'],
  },
  {
    line: 140,
    says: 'A backorder makes no stock available',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/backorders.test.ts > Inventory/CreateInventoryBackorder > makes stock inbound, and none available'],
  },
  {
    line: 172,
    says: 'Posting adds all lines in a single step',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/ReceiveInventory > adds every line to the stock, in movements of one operation',
    ],
  },
  {
    line: 172,
    says: 'Posting again adds nothing',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/ReceiveInventory > adds nothing a second time, and answers when it was posted first',
    ],
  },
  {
    line: 173,
    says: 'Lines are added to drafts alone, and change no stock',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/AddInventoryReceiptLine > is blocked once the receipt is posted',
      'test/sandbox/inventory/receipts.test.ts > Inventory/CreateInventoryReceipt > makes a draft that changes no stock',
    ],
  },
  {
    line: 174,
    says: 'The date of an open backorder can change, nothing else',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/backorders.test.ts > Inventory/UpdateInventoryBackorderEta > changes when an open backorder is expected, and nothing else of it',
    ],
  },
  {
    line: 174,
    says: 'The date of a received backorder stays',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/backorders.test.ts > Inventory/UpdateInventoryBackorderEta > is blocked for a received one, which still keeps its date',
    ],
  },
  {
    line: 338,
    says: 'A receipt is for a place that holds stock',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/receipts.test.ts > Inventory/CreateInventoryReceipt > needs a location that holds stock'],
  },
  {
    line: 338,
    says: 'The texts of a receipt are bounded',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/CreateInventoryReceipt > refuses overlong texts and blank or overlong keys',
    ],
  },
  {
    line: 338,
    says: 'The key of a receipt is bounded and not blank',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/CreateInventoryReceipt > refuses overlong texts and blank or overlong keys',
    ],
  },
  {
    line: 338,
    says: 'Keys of receipts count within their workspace',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/receipts.test.ts > Inventory/CreateInventoryReceipt > keeps the keys of workspaces apart'],
  },
  {
    line: 338,
    says: 'A new receipt answers its id and state',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/receipts.test.ts > Inventory/CreateInventoryReceipt > makes a draft that changes no stock'],
  },
  {
    line: 338,
    says: 'A repeated key answers the receipt that is there',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/CreateInventoryReceipt > answers a repeated key with the same receipt, and with the status it has by now',
    ],
  },
  {
    line: 338,
    says: 'A known key with other input is refused for receipts',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/receipts.test.ts > Inventory/CreateInventoryReceipt > refuses a key that was used with other input'],
  },
  {
    line: 338,
    says: 'Drafts leave stock as it is',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/receipts.test.ts > Inventory/CreateInventoryReceipt > makes a draft that changes no stock'],
  },
  {
    line: 340,
    says: 'Received quantities are above zero',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/AddInventoryReceiptLine > refuses a quantity that is not positive and overlong notes',
      'test/sandbox/inventory/largeQuantities.test.ts > a quantity of up to 64 bits > is received, and read as the line of its receipt',
    ],
  },
  {
    line: 340,
    says: 'Notes of a line are bounded',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/AddInventoryReceiptLine > refuses a quantity that is not positive and overlong notes',
    ],
  },
  {
    line: 340,
    says: 'A repeated line answers the first',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/AddInventoryReceiptLine > answers a repeated key with the same line, also once the receipt is posted',
    ],
  },
  {
    line: 340,
    says: 'A known key with another line is refused',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/AddInventoryReceiptLine > refuses a key that was used with another payload',
    ],
  },
  {
    line: 340,
    says: 'Posted receipts take no more lines',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/receipts.test.ts > Inventory/AddInventoryReceiptLine > is blocked once the receipt is posted'],
  },
  {
    line: 342,
    says: 'Posting answers the moment of the first posting',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/ReceiveInventory > adds nothing a second time, and answers when it was posted first',
    ],
  },
  {
    line: 342,
    says: 'Posting happens whole or not at all',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/ReceiveInventory > adds every line to the stock, in movements of one operation',
      'test/sandbox/inventory/largeQuantities.test.ts > stock past 64 bits > is refused when a receipt is posted, which stays a draft',
    ],
  },
  {
    line: 344,
    says: 'A receipt is read by its id or its key, not by both',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/GetInventoryReceipt > takes exactly one of id and key',
      'test/sandbox/kernel/defaults.test.ts > an empty text, as clients send it that write default values > names no receipt: the other way to name it is taken',
    ],
  },
  {
    line: 344,
    says: 'The key is that under which the draft was made',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/receipts.test.ts > Inventory/GetInventoryReceipt > finds a receipt by the key it was made with'],
  },
  {
    line: 344,
    says: 'Lines of a receipt are read up to page 100,000',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/receipts.test.ts > Inventory/GetInventoryReceipt > reads up to page 100,000'],
  },
  {
    line: 344,
    says: 'Lines of a receipt come by 25, or by up to 100',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/GetInventoryReceipt > reads 25 lines at a time unless told otherwise, and up to 100',
    ],
  },
  {
    line: 344,
    says: 'Lines come in the order in which they were made',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/GetInventoryReceipt > orders lines by when they were made, and by id within a second',
    ],
  },
  {
    line: 344,
    says: 'Long texts of a receipt are cut, which a flag tells',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/GetInventoryReceipt > cuts texts that are longer than an answer carries, and says so',
      'test/sandbox/inventory/receipts.test.ts > Inventory/GetInventoryReceipt > leaves texts of the longest allowed length whole',
    ],
  },
  {
    line: 344,
    says: 'Long notes of a line are cut, which a flag tells',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/GetInventoryReceipt > cuts texts that are longer than an answer carries, and says so',
    ],
  },
  {
    line: 344,
    says: 'A receipt that is not there is answered without data',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/GetInventoryReceipt > answers without data for what is missing or belongs to another workspace',
    ],
  },
  {
    line: 350,
    says: 'A backorder has a destination and lines',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/backorders.test.ts > Inventory/CreateInventoryBackorder > makes an open backorder with its lines'],
  },
  {
    line: 350,
    says: 'Backorders arrive later than now',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/backorders.test.ts > Inventory/CreateInventoryBackorder > expects arrival in the future'],
  },
  {
    line: 350,
    says: 'Creating answers the backorder',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/backorders.test.ts > Inventory/CreateInventoryBackorder > makes an open backorder with its lines'],
  },
  {
    line: 350,
    says: 'A known key with other input is refused for backorders',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/backorders.test.ts > Inventory/CreateInventoryBackorder > answers a repeated key with the same backorder, and refuses it with another payload',
    ],
  },
  {
    line: 352,
    says: 'Backorders are listed by state, or all of them',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/backorders.test.ts > Inventory/ListInventoryBackorders > tells open from received ones by the lowercase word, and lists both when none is given',
    ],
  },
  {
    line: 352,
    says: 'Backorders come by 25, or by up to 100',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/backorders.test.ts > Inventory/ListInventoryBackorders > reads 25 at a time unless told otherwise, and at most 100',
    ],
  },
  {
    line: 354,
    says: 'A new date lies ahead',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/backorders.test.ts > Inventory/UpdateInventoryBackorderEta > refuses a moment that is not in the future',
    ],
  },
  {
    line: 354,
    says: 'Open backorders alone take a new date',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/backorders.test.ts > Inventory/UpdateInventoryBackorderEta > is blocked for a received one, which still keeps its date',
    ],
  },
  {
    line: 509,
    says: 'A receipt of others is answered without data',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/GetInventoryReceipt > answers without data for what is missing or belongs to another workspace',
    ],
  },
  {
    line: 525,
    says: 'Pages of a receipt are bounded in number and size',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/receipts.test.ts > Inventory/GetInventoryReceipt > reads up to page 100,000',
      'test/sandbox/inventory/receipts.test.ts > Inventory/GetInventoryReceipt > reads 25 lines at a time unless told otherwise, and up to 100',
    ],
  },
  {
    line: 526,
    says: 'Pages of backorders are bounded in size',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/backorders.test.ts > Inventory/ListInventoryBackorders > reads 25 at a time unless told otherwise, and at most 100',
    ],
  },
  {
    line: 531,
    says: 'Texts of receipts keep their longest allowed length',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/receipts.test.ts > Inventory/GetInventoryReceipt > leaves texts of the longest allowed length whole'],
  },
];
