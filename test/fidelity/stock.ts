import type { Sentence } from './sentence.ts';

/** Of balances, adjustments and moves (2.8, 4.11, 7). */
export const STOCK: readonly Sentence[] = [
  {
    line: 27,
    says: 'Products and locations are named by UUIDs',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/inventory.test.ts > Inventory/AdjustInventory > refuses ids that are not UUIDs'],
  },
  {
    line: 141,
    says: 'A balance tells what is there, free, set aside and coming',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/inventory.test.ts > Inventory/ListInventoryBalances > answers what is on hand less what is reserved as available, for every balance',
      'test/sandbox/inventory/inventory.test.ts > Inventory/ListInventoryBalances > answers as inbound what open backorders and transfers under way bring to the location',
    ],
  },
  {
    line: 142,
    says: 'Adjusting takes simple active products alone',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/inventory.test.ts > Inventory/AdjustInventory > is blocked for %s'],
  },
  {
    line: 142,
    says: 'Moving takes simple active products alone',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/inventory.test.ts > Inventory/MoveInventory > is blocked for %s'],
  },
  {
    line: 336,
    says: 'Changes of stock want write access to it',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/exhaustive/kernel/operations.test.ts > permissions of the account > %s refuses a key with all scopes whose account lacks %j',
    ],
  },
  {
    line: 336,
    says: 'Reading stock wants read access to it',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/exhaustive/kernel/operations.test.ts > permissions of the account > %s refuses a key with all scopes whose account lacks %j',
    ],
  },
  {
    line: 346,
    says: 'Adjusting gives a reason of up to 1,000 characters',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/inventory.test.ts > Inventory/AdjustInventory > refuses a delta of zero, a negative target, and a blank or overlong reason',
    ],
  },
  {
    line: 346,
    says: 'Adjusting takes a difference or a target, not both',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/inventory.test.ts > Inventory/AdjustInventory > takes exactly one of delta and target'],
  },
  {
    line: 346,
    says: 'The difference is not zero and may be negative',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/inventory.test.ts > Inventory/AdjustInventory > refuses a delta of zero, a negative target, and a blank or overlong reason',
      'test/sandbox/inventory/inventory.test.ts > Inventory/AdjustInventory > corrects the stock on hand by a delta, up and down, and writes a movement with the reason',
    ],
  },
  {
    line: 346,
    says: 'The target is not below zero',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/inventory.test.ts > Inventory/AdjustInventory > refuses a delta of zero, a negative target, and a blank or overlong reason',
      'test/sandbox/inventory/inventory.test.ts > Inventory/AdjustInventory > sets what is available to a target, zero included',
    ],
  },
  {
    line: 346,
    says: 'The target is of what is free, not of what is there',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/reservations.test.ts > reserved stock > stays reserved when an adjustment targets what is available'],
  },
  {
    line: 346,
    says: 'The balance that adjusting answers leaves inbound out',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/inventory.test.ts > Inventory/AdjustInventory > does not work out inbound for its answer'],
  },
  {
    line: 346,
    says: 'Adjusting twice counts twice',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/inventory.test.ts > Inventory/AdjustInventory > is not idempotent: the same delta a second time counts again',
    ],
  },
  {
    line: 348,
    says: 'A move has up to 100 lines, and at least a single one',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/inventory.test.ts > Inventory/MoveInventory > takes 1 to 100 lines'],
  },
  {
    line: 348,
    says: 'Moved quantities are above zero',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/inventory.test.ts > Inventory/MoveInventory > refuses quantities that are not positive, blank and overlong keys, and overlong texts',
    ],
  },
  {
    line: 348,
    says: 'Reference and notes of a move are bounded',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/inventory.test.ts > Inventory/MoveInventory > refuses quantities that are not positive, blank and overlong keys, and overlong texts',
    ],
  },
  {
    line: 348,
    says: 'The key of a move is bounded',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/inventory.test.ts > Inventory/MoveInventory > refuses quantities that are not positive, blank and overlong keys, and overlong texts',
    ],
  },
  {
    line: 348,
    says: 'A move answers the id of its operation',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/inventory.test.ts > Inventory/MoveInventory > moves from several locations to one, under one operation id that its movements carry',
    ],
  },
  {
    line: 348,
    says: 'A repeated move answers the first operation',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/inventory.test.ts > Inventory/MoveInventory > answers a repeated key with the first operation and moves nothing again',
    ],
  },
  {
    line: 348,
    says: 'A known key with other lines is refused for moves',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/inventory.test.ts > Inventory/MoveInventory > refuses a key that was used with other lines'],
  },
  {
    line: 348,
    says: 'A move without enough free stock does not happen',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/inventory.test.ts > Inventory/MoveInventory > moves nothing at all when one line lacks stock'],
  },
  {
    line: 348,
    says: 'A move between unfit places does not happen',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/inventory.test.ts > Inventory/MoveInventory > is blocked from and to %s location'],
  },
  {
    line: 348,
    says: 'Stock that is set aside is not moved',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/reservations.test.ts > reserved stock > cannot be moved, sent away or written off'],
  },
  {
    line: 348,
    says: 'Stock without bounds is not moved',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/inventory.test.ts > Inventory/MoveInventory > is blocked for %s'],
  },
  {
    line: 356,
    says: 'Nineteen more operations are known by name alone',
    services: ['Inventory'],
    verdict: 'held by assumption',
    tests: ['test/exhaustive/kernel/operations.test.ts > serves every operation of the contract, and nothing else'],
  },
  {
    line: 356,
    says: 'Receipts are neither edited nor deleted',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/exhaustive/kernel/operations.test.ts > serves every operation of the contract, and nothing else'],
  },
  {
    line: 512,
    says: 'Too little stock or an unfit place stops a move',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/inventory.test.ts > Inventory/MoveInventory > moves nothing at all when one line lacks stock',
      'test/sandbox/inventory/inventory.test.ts > Inventory/MoveInventory > is blocked from and to %s location',
    ],
  },
  {
    line: 512,
    says: 'Quantities of zero or less are invalid',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/inventory.test.ts > Inventory/MoveInventory > refuses quantities that are not positive, blank and overlong keys, and overlong texts',
      'test/sandbox/inventory/receipts.test.ts > Inventory/AddInventoryReceiptLine > refuses a quantity that is not positive and overlong notes',
    ],
  },
  {
    line: 512,
    says: 'Both a difference and a target, or neither, are invalid',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/inventory.test.ts > Inventory/AdjustInventory > takes exactly one of delta and target'],
  },
  {
    line: 512,
    says: 'Blank reasons are invalid',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/inventory.test.ts > Inventory/AdjustInventory > refuses a delta of zero, a negative target, and a blank or overlong reason',
    ],
  },
  {
    line: 533,
    says: 'Moves are bounded to 100 lines',
    services: ['Inventory'],
    verdict: 'held',
    tests: ['test/sandbox/inventory/inventory.test.ts > Inventory/MoveInventory > takes 1 to 100 lines'],
  },
  {
    line: 534,
    says: 'Reasons are bounded to 1,000 characters',
    services: ['Inventory'],
    verdict: 'held',
    tests: [
      'test/sandbox/inventory/inventory.test.ts > Inventory/AdjustInventory > refuses a delta of zero, a negative target, and a blank or overlong reason',
    ],
  },
];
