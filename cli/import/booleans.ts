import type { Notation } from './notations.ts';

// cspell:ignore waar onwaar nein wahr falsch vrai verdadero sì vero verdadeiro falso sand sant falsk falskt nej usann
/** Words for true and false: the standard ones first, then those of other languages. The last ones of each are what Excel writes for a logical value. */
const WORDS: readonly (readonly [isTrue: readonly string[], isFalse: readonly string[]])[] = [
  [
    ['yes', '1', 'true'],
    ['no', '0', 'false'],
  ],
  [
    ['ja', 'waar'],
    ['nee', 'onwaar'],
  ],
  [
    ['ja', 'wahr'],
    ['nein', 'falsch'],
  ],
  [
    ['oui', 'vrai'],
    ['non', 'faux'],
  ],
  [
    ['sí', 'si', 'verdadero'],
    ['no', 'falso'],
  ],
  [
    ['sì', 'si', 'vero'],
    ['no', 'falso'],
  ],
  [
    ['sim', 'verdadeiro'],
    ['não', 'nao', 'falso'],
  ],
  [
    ['ja', 'sand', 'sant'],
    ['nej', 'nei', 'falsk', 'falskt', 'usann'],
  ],
];

const createNotation = ([isTrue, isFalse]: (typeof WORDS)[number]): Notation => {
  const values = new Map([...isTrue.map((word) => [word, 'true'] as const), ...isFalse.map((word) => [word, 'false'] as const)]);
  return { name: `${isTrue[0]} and ${isFalse[0]}`, parse: (text) => values.get(text.toLowerCase()) };
};

/** The notations of booleans. None of them contradicts another. */
export const BOOLEAN_NOTATIONS: readonly Notation[] = WORDS.map(createNotation);

/** The notation of constants. */
export const STANDARD_BOOLEAN = BOOLEAN_NOTATIONS[0] as Notation;
