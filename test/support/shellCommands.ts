/** A command of a shell block: its environment variables, and its unquoted words. */
export interface ShellCommand {
  readonly env: readonly string[];
  readonly words: readonly string[];
}

const WORD = /'([^']*)'|"((?:[^"\\]|\\.)*)"|([^\s'"#|&;<>]+)|(#[^\n]*)|(&&|\|\|?|;|\n)|(\d?[<>]+&?\d*)/gy;

/** Parses the commands of a block: quotes, comments, line continuations, and operators between commands. Doesn't expand variables. */
export function parseShellCommands(block: string): ShellCommand[] {
  const text = block.replaceAll('\\\n', ' ');
  const commands: string[][] = [[]];
  let isJoined = false;
  let index = 0;
  while (index < text.length) {
    if (/[ \t]/.test(text[index] ?? '')) {
      isJoined = false;
      index += 1;
      continue;
    }
    WORD.lastIndex = index;
    const match = WORD.exec(text);
    if (!match)
      throw new Error(
        `The shell block has ${JSON.stringify(text.slice(index, index + 20))}, which is not read. Quote it, or teach shellCommands to read it.`,
      );
    const [whole, single, double, bare, comment, chain] = match;
    index = WORD.lastIndex;
    const command = commands.at(-1) ?? [];
    if (chain) commands.push([]);
    else if (!comment) {
      const word = single ?? double?.replaceAll(/\\(.)/g, '$1') ?? bare ?? whole;
      if (isJoined) command.push(`${command.pop() ?? ''}${word}`);
      else command.push(word);
    }
    isJoined = !chain && !comment;
  }
  return commands
    .filter((words) => words.length > 0)
    .map((words) => {
      const first = words.findIndex((word) => !/^[A-Z_][A-Z0-9_]*=/.test(word));
      const count = first === -1 ? words.length : first;
      return { env: words.slice(0, count).map((word) => word.split('=')[0] ?? ''), words: words.slice(count) };
    });
}

/** A request that `curl` sends. */
export interface CurlRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Parses the arguments of `curl`. Throws for options that the pages don't use. */
export function parseCurlRequest(words: readonly string[]): CurlRequest {
  const headers: Record<string, string> = {};
  let url = '';
  let method: string | undefined;
  let body: string | undefined;
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '-H') {
      const [name = '', value = ''] = (rest.shift() ?? '').split(/:\s*/, 2);
      headers[name] = value;
    } else if (word === '-d') body = rest.shift();
    else if (word === '-X') method = rest.shift();
    else if (word.startsWith('http')) url = word;
    else if (word !== '-s' && word !== '-i' && word !== '-N')
      throw new Error(`A page's curl has ${word}, which is not read. Leave it out, or teach curlRequest to read it.`);
  }
  return { url, method: method ?? (body === undefined ? 'GET' : 'POST'), headers, body };
}
