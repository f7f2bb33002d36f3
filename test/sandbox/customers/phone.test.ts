import { expect, it } from 'vitest';
import { useSandbox } from '../sandbox.ts';

const { call } = useSandbox();

const create = (phone: string, phoneCountry?: string) => call('Contact/CreateContact', { lastName: 'Called', phone, phoneCountry });

it.each([
  ['an international number', '+31 20 555 0100', undefined, '+31205550100'],
  ['an international number of another country', '+49 (30) 123-4567', 'NL', '+49301234567'],
  ['a number with its trunk prefix in parentheses', '+31 (0)20 555 0100', undefined, '+31205550100'],
  ['a local number', '(020) 555.01/00', 'NL', '+31205550100'],
  ['a local number whose leading zero is significant', '06 6982 1234', 'IT', '+390669821234'],
  ['an international prefix', '00 31 20 555 0100', 'DE', '+31205550100'],
  ['full-width digits', '＋３１　２０－５５５－０１００', 'DE', '+31205550100'],
  ['Arabic digits', '+٣١ ٢٠ ٥٥٥ ٠١٠٠', undefined, '+31205550100'],
  ['a number that belongs to no country', '+800 1234 5678', undefined, '+80012345678'],
])('accepts %s', async (_, phone, country, expected) => {
  expect((await create(phone, country)).body.contact.phone).toBe(expected);
});

it('accepts an empty number', async () => {
  expect((await create('', 'NL')).body.contact.phone ?? '').toBe('');
});

it.each([
  ['an extension', '020 555 0100 ext. 5'],
  ['an extension after #', '020 555 0100#5'],
  ['an extension after a comma', '020 555 0100,,5'],
  ['an extension after ~', '020 555 0100~5'],
  ['letters for digits', '0800-FLOWERS'],
  ['text before the number', 'Call 020 555 0100'],
  ['text after the number', '020 555 0100 (work)'],
  ['a line break after the number', '020 555 0100\n'],
  ['a URI', 'tel:+31205550100'],
  ['a URI with its context', 'tel:020-555-0100;phone-context=+31'],
  ['two numbers', '020 555 0100, 020 555 0101'],
  ['two plus signs', '++31205550100'],
  ['a plus sign alone', '+'],
  ['blanks', ' '],
  ['an unassigned calling code', '+999 1234567'],
  ['too few digits', '+31 20'],
  ['too many digits', `+31${'1'.repeat(16)}`],
  ['an overlong text', '1'.repeat(300)],
])('rejects %s', async (_, phone) => {
  const { status, body } = await create(phone, 'NL');
  expect({ status, message: body.message }).toMatchObject({ status: 400, message: expect.stringContaining('phone must be') });
});

it('rejects a local number without its area code', async () => {
  expect((await create('555 2671', 'US')).status).toBe(400);
});

it('rejects a number with more digits than E.164 allows, even if its country has such numbers', async () => {
  expect((await create('1'.repeat(16), 'JP')).status).toBe(400);
});

it('rejects an unknown country, even without a number', async () => {
  const { status, body } = await create('', 'XX');
  expect({ status, message: body.message }).toEqual({
    status: 400,
    message: expect.stringContaining('phone_country must be a known country'),
  });
});
