import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';
import { invalid } from '../kernel/errors.ts';

/**
 * A phone number in E.164 form. A local number takes the country it is local to (ISO 3166-1 alpha-2); without one the number must be
 * international. Empty stays empty: that is how a number is removed. Refuses whatever the form would lose, such as an extension.
 */
export function normalizePhone(phone: string, country: string | undefined): string {
  if (country !== undefined && !isSupportedCountry(country)) throw invalid(`phone_country must be a known country, but is ${country}.`);
  if (phone === '') return '';
  // Without `extract: false` the library looks for a number anywhere in the text, and leaves the rest of it out.
  const number = parsePhoneNumberFromString(phone, { defaultCountry: country as CountryCode, extract: false });
  if (!number?.isPossible() || number.ext !== undefined) {
    throw invalid('phone must be an international number, or a local number with its phone_country, and contain nothing else.');
  }
  return number.number;
}
