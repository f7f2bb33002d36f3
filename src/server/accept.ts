/** The members of an Accept header, in lower case, with their weights. Members in another charset than UTF-8 have none: we write no other. */
export function weightsOf(header: string): ReadonlyMap<string, number> {
  const members = header.toLowerCase().replace(/\s/g, '').split(',');
  return new Map(
    members.map((member) => {
      const [name = '', ...parameters] = member.split(';');
      const parameter = (key: string) => parameters.find((each) => each.startsWith(`${key}=`))?.slice(key.length + 1);
      const isReadable = (parameter('charset') ?? 'utf-8') === 'utf-8';
      return [name, isReadable ? Number(parameter('q') ?? 1) || 0 : 0];
    }),
  );
}

/** Whether the caller takes any of these media types. Without a header it takes all. */
export function accepts(headers: Headers, types: readonly string[]): boolean {
  const weights = weightsOf(headers.get('accept') || '*/*');
  return types.some((type) => (weights.get(type) ?? weights.get(type.replace(/\/.*/, '/*')) ?? weights.get('*/*') ?? 0) > 0);
}

/** Answers that come in parts, as `@defer` and `@stream` make them. */
export const IN_PARTS = ['multipart/mixed', 'text/event-stream'] as const;
/** All that the graph can answer in. */
export const ANSWERS = ['application/json', 'application/graphql-response+json', ...IN_PARTS] as const;
