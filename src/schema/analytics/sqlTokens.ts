/** A token of SQL. `name` includes keywords. `text` is a string literal with its content in `value`. */
export interface SqlToken {
  readonly kind: 'name' | 'text' | 'number' | 'symbol';
  /** Names in lower case, because SQL ignores their case. */
  readonly value: string;
  /** Offsets in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Entity whose fields the names at this position are: that of the nearest FROM. Null before the first FROM. */
  entity: string | null;
  /** Number of enclosing parentheses. */
  readonly depth: number;
}

/** Whitespace, string literals, names, numbers, comments and other operators, and single characters. No alternative can backtrack into another. */
const PARTS = /\s+|'(?:[^']|'')*'|[A-Za-z_]\w*|\d+(?:\.\d+)?|--|\/\*|<>|!=|<=|>=|::|./gsu;

function createToken(part: string, start: number, depth: number): SqlToken {
  const common = { start, end: start + part.length, entity: null, depth };
  if (part.length > 1 && part.startsWith("'")) return { kind: 'text', value: part.slice(1, -1).replaceAll("''", "'"), ...common };
  if (/^[A-Za-z_]/.test(part)) return { kind: 'name', value: part.toLowerCase(), ...common };
  return { kind: /^\d/.test(part) ? 'number' : 'symbol', value: part, ...common };
}

/** Sets the entity of each token. A subquery has its own FROM, and a group in parentheses belongs to the query around it. */
function resolveEntities(tokens: readonly SqlToken[]): void {
  const scopes: { readonly start: number; readonly depth: number; entity: string | null }[] = [{ start: 0, depth: 0, entity: null }];
  /** Tokens before the FROM of their query. Those of a scope start at its `start`. */
  const unresolved: SqlToken[] = [];
  for (const [index, token] of tokens.entries()) {
    while ((scopes.at(-1)?.depth ?? 0) > token.depth) scopes.pop();
    const next = tokens[index + 1];
    if (token.kind === 'name' && token.value === 'select' && token.depth > (scopes.at(-1)?.depth ?? 0))
      scopes.push({ start: unresolved.length, depth: token.depth, entity: null });
    const scope = scopes.at(-1);
    if (!scope) continue;
    if (token.kind === 'name' && token.value === 'from' && scope.entity === null && next?.kind === 'name') {
      scope.entity = next.value;
      // The selected expressions precede their FROM.
      for (const selected of unresolved.splice(scope.start)) selected.entity = next.value;
    }
    token.entity = scope.entity;
    if (scope.entity === null) unresolved.push(token);
  }
}

/** Splits SQL into tokens. Accepts any string, because only the upstream parses it. */
export function tokenizeSql(sql: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  let depth = 0;
  for (const { 0: part, index } of sql.matchAll(PARTS)) {
    if (/^\s/.test(part)) continue;
    if (part === '(') depth += 1;
    tokens.push(createToken(part, index, depth));
    if (part === ')') depth -= 1;
  }
  resolveEntities(tokens);
  return tokens;
}
