import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';
import { invalid } from './errors.ts';

/**
 * A phone number in E.164 form. A local number takes the country it is local to (ISO 3166-1 alpha-2); without one the number must be
 * international. Empty stays empty: that is how a number is removed.
 */
export function normalizePhone(phone: string, country: string | undefined): string {
  if (phone.trim() === '') return '';
  if (country !== undefined && !isSupportedCountry(country)) throw invalid(`phone_country must be a known country, but is ${country}.`);
  const number = parsePhoneNumberFromString(phone, country as CountryCode | undefined);
  if (!number?.isPossible()) {
    throw invalid('phone must be an international number, or a local one together with the phone_country that it is local to.');
  }
  return number.number;
}
