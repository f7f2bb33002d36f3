import type { Token } from './tokens.ts';

interface Mark {
  readonly token: Token;
  readonly parts: Readonly<Record<string, Token>>;
}

/** Shared by the values of long lists, to save memory. */
const NO_PARTS: Mark['parts'] = {};

/** Positions of a query's messages and their values in its SQL. */
export class TokenPositions {
  readonly #marks = new Map<unknown, Mark>();

  /** Records the position of a message, and those of its scalar values by their paths in the message. */
  recordPosition<Message extends object>(message: Message, token: Token, parts = NO_PARTS): Message {
    this.#marks.set(message, { token, parts });
    return message;
  }

  /** The token of a path in a message, such as `filter.all.children[1].compare.field`. If the path has none, returns the token of the closest parent. */
  findToken(message: object, path: string): Token | undefined {
    const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
    let found = this.#marks.get(message);
    let token = found?.token;
    let value: unknown = message;
    let within: string[] = [];
    for (const step of steps) {
      const name = step.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
      within.push(name);
      const mark = this.#marks.get(value);
      if (mark) [found, within] = [mark, []];
      token = mark?.token ?? found?.parts[within.join('.')] ?? token;
    }
    return token;
  }
}
