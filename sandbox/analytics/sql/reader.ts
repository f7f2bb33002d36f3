import type { CatalogEntity, CatalogField } from '../catalog.ts';
import { Places } from './places.ts';
import { type Token, Tokens } from './tokens.ts';
import { RESERVED, UNSUPPORTED } from './words.ts';

/** How deep parentheses may stand within each other. Ours: more than the levels of a filter that are allowed need. */
const MAX_DEPTH = 32;

/** Reads a text by what is expected next. */
export class Reader {
  /** Where each part of the query stands in the text. */
  readonly places = new Places();
  readonly #tokens: Tokens;
  #depth = 0;

  constructor(sql: string) {
    this.#tokens = new Tokens(sql);
  }

  get next(): Token {
    return this.#tokens.next;
  }

  take(): Token {
    return this.#tokens.take();
  }

  isWord(word: string): boolean {
    return this.next.kind === 'name' && this.next.value === word;
  }

  isSymbol(symbol: string): boolean {
    return this.next.kind === 'symbol' && this.next.value === symbol;
  }

  /** Takes the next token if it is the word. */
  takeWord(word: string): boolean {
    const isNext = this.isWord(word);
    if (isNext) this.take();
    return isNext;
  }

  /** Takes the next token if it is the symbol. */
  takeSymbol(symbol: string): boolean {
    const isNext = this.isSymbol(symbol);
    if (isNext) this.take();
    return isNext;
  }

  /** Takes the words, or refuses what stands in their place: an error names `expected`, or the words themselves. */
  words(words: readonly string[], expected = words.join(' ').toUpperCase()): Token {
    const first = this.next;
    for (const word of words) if (!this.takeWord(word)) throw this.unexpected(expected);
    return first;
  }

  symbol(symbol: string, expected = JSON.stringify(symbol)): void {
    if (!this.takeSymbol(symbol)) throw this.unexpected(expected);
  }

  text(expected: string): Token {
    if (this.next.kind !== 'text') throw this.unexpected(expected);
    return this.take();
  }

  name(expected: string): Token {
    if (this.next.kind !== 'name' || RESERVED.has(this.next.value)) throw this.unexpected(expected);
    return this.take();
  }

  /** The name of a column, as AS gives it and ORDER BY repeats it. */
  columnName(): Token {
    const expected = 'the name of a column';
    if (RESERVED.has(this.next.value) && this.next.kind === 'name')
      throw this.refusal(this.next, `${this.shown(this.next)} is a keyword; expected ${expected}`);
    return this.name(expected);
  }

  /** The field of an entity that a name means. */
  field(name: Token, { name: entity, fields }: CatalogEntity): CatalogField {
    const field = fields.find(({ name: other }) => other === name.value);
    if (!field)
      throw this.refusal(name, `${entity} has no field ${this.shown(name)}; expected one of ${fields.map((each) => each.name).join(', ')}`);
    return field;
  }

  /** Items that commas part. */
  list<Item>(item: () => Item): readonly [Item, ...Item[]] {
    const items: [Item, ...Item[]] = [item()];
    while (this.takeSymbol(',')) items.push(item());
    return items;
  }

  /** What stands between parentheses, which may be within others. */
  nested<Inner>(inner: () => Inner): Inner {
    const open = this.next;
    this.symbol('(');
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw this.refusal(open, `parentheses are nested too deeply; expected at most ${MAX_DEPTH} levels`);
    const found = inner();
    this.symbol(')');
    this.#depth -= 1;
    return found;
  }

  shown(token: Token): string {
    return this.#tokens.shown(token);
  }

  /** Refuses a token: the problem, and what is expected, without the full stop. */
  refusal(token: Token, problem: string) {
    return this.refusalAt(token, `${problem}.`);
  }

  /** Refuses a token by a whole sentence. */
  refusalAt({ start }: Token, sentence: string) {
    return this.#tokens.refusal(start, sentence);
  }

  /** Refuses the next token, in whose place something else must stand. */
  unexpected(expected: string) {
    const feature = this.next.kind === 'name' ? UNSUPPORTED.get(this.next.value) : undefined;
    const reason = feature ? `: ${feature} are not supported` : '';
    return this.refusal(this.next, `unexpected ${this.shown(this.next)}${reason}; expected ${expected}`);
  }
}
