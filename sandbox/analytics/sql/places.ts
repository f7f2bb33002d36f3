import type { Token } from './tokens.ts';

interface Mark {
  readonly token: Token;
  readonly parts: Readonly<Record<string, Token>>;
}

/** Shared by the many values of a long list. */
const NO_PARTS: Mark['parts'] = {};

/** Where the messages of a query, and their values, stand in its text. */
export class Places {
  readonly #marks = new Map<unknown, Mark>();

  /** Notes where a message begins, and where those of its values stand that are no messages, by their paths within it. */
  mark<Message extends object>(message: Message, token: Token, parts = NO_PARTS): Message {
    this.#marks.set(message, { token, parts });
    return message;
  }

  /** The token of a path within a message, such as `filter.all.children[1].compare.field`: of the nearest part around it, when it has none itself. */
  at(message: object, path: string): Token | undefined {
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
