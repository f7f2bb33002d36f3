import { quoteText } from '../../src/lib/printableText.ts';
import { StartError } from '../../src/lib/startup.ts';

/** A way to write numbers, dates, or booleans. */
export interface Notation {
  /** Completes "is written with ". */
  readonly name: string;
  /** The standard form of a text. Undefined unless all of it is in this notation. */
  readonly parse: (text: string) => string | undefined;
}

/** A text that two notations explain differently. */
interface Difference {
  readonly line: number;
  readonly text: string;
  readonly values: readonly [string, string];
}

/** The notation of a column. */
export interface NotationChoice {
  readonly notation: Notation;
  /** Whether the column has cells that other notations don't explain. */
  readonly isCertain: boolean;
}

/** Finds the notation that explains all cells of a column. */
export class ColumnNotations {
  readonly #notations: readonly Notation[];
  /** How many cells each notation explains, and how many are explained by any. */
  readonly #counts: number[];
  #explained = 0;
  /** By the positions of two notations. */
  readonly #differences = new Map<string, Difference>();

  constructor(notations: readonly Notation[]) {
    this.#notations = notations;
    this.#counts = notations.map(() => 0);
  }

  add(line: number, text: string): void {
    const values = this.#notations.map(({ parse }) => parse(text));
    if (values.some((value) => value !== undefined)) this.#explained += 1;
    for (const [index, value] of values.entries()) {
      if (value === undefined) continue;
      this.#counts[index] = (this.#counts[index] ?? 0) + 1;
      for (let other = 0; other < index; other += 1) {
        const otherValue = values[other];
        const pair = `${other} ${index}`;
        if (otherValue !== undefined && otherValue !== value && !this.#differences.has(pair))
          this.#differences.set(pair, { line, text, values: [otherValue, value] });
      }
    }
  }

  /** The notation that explains all cells, except for those that none explains. Throws StartError if several explain them, with different values. */
  choose(header: string): NotationChoice {
    const most = Math.max(...this.#counts);
    const found = this.#counts.flatMap((count, index) => (count === most ? [index] : []));
    const notation = this.#notations[found[0] ?? 0] as Notation;
    if (most < this.#explained) return { notation: this.#restrict(notation), isCertain: true };
    for (const index of found)
      for (const other of found) {
        const difference = this.#differences.get(`${other} ${index}`);
        if (difference) throw createAmbiguityError(header, difference);
      }
    return { notation, isCertain: this.#explained > 0 && found.every((index) => this.#notations[index]?.name === notation.name) };
  }

  /** For a column that mixes notations: a text is only certain if no other notation explains it differently. */
  #restrict(notation: Notation): Notation {
    return {
      name: `${notation.name}, and other cells of the column have another notation`,
      parse: (text) => {
        const value = notation.parse(text);
        const isCertain = this.#notations.every(({ parse }) => [value, undefined].includes(parse(text)));
        return isCertain ? value : undefined;
      },
    };
  }
}

const createAmbiguityError = (header: string, { line, text, values: [one, other] }: Difference) =>
  new StartError(
    `The column ${header} has ${quoteText(text)} on line ${line}, which can mean ${one} or ${other}, and none of its cells shows which. Specify --locale, such as en-US or de.`,
  );
