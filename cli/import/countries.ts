/** Languages of names. Chosen: those whose booleans are known. */
const LANGUAGES = ['en', 'nl', 'de', 'fr', 'es', 'it', 'pt', 'da', 'sv', 'nb'] as const;

/** Regions that have names, but aren't countries: unions, unknown ones, and pseudo-locales. */
const NO_COUNTRIES: ReadonlySet<string> = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

/** What people write, and ICU has no name for. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  uk: 'GB',
  'great britain': 'GB',
  usa: 'US',
  'united states of america': 'US',
  'czech republic': 'CZ',
  turkey: 'TR',
};

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The codes of countries, without those that were replaced: `DD` has the name of `DE`. */
const listCodes = (): readonly string[] =>
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
    (code) => !NO_COUNTRIES.has(code) && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`,
  );

const normalize = (name: string): string => name.normalize('NFC').toLowerCase().replaceAll('’', "'");

/** Codes by name and by code. A name that belongs to two countries in different languages has none. */
function createCodes(): ReadonlyMap<string, string | null> {
  const codes = new Map<string, string | null>(Object.entries(OTHER_NAMES));
  const names = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }));
  for (const code of listCodes())
    for (const name of [code, ...names.map((each) => each.of(code))]) {
      if (name === undefined) continue;
      const known = codes.get(normalize(name));
      codes.set(normalize(name), known === undefined || known === code ? code : null);
    }
  return codes;
}

let codesByName: ReadonlyMap<string, string | null> | undefined;

/** The code of a country, by its code or its name in one of several languages, in any case. Undefined if it isn't known. The first call takes some milliseconds. */
export function findCountry(text: string): string | undefined {
  codesByName ??= createCodes();
  return codesByName.get(normalize(text)) ?? undefined;
}
