import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Eras of the protocol: that of 2025, with a handshake, and that of 2026, in which each request stands alone. */
export const ERAS = ['legacy', 'auto'] as const;
export type Era = (typeof ERAS)[number];

/** The result of a tool call. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly structured: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared, not used
  readonly body: any;
  readonly text: string;
}

/** Connects the public client to the tools of a graph, as the caller of a key. */
export async function connectTools(url: string, key: string, era: Era = 'auto') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name).sort(),
    call: async (name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> => {
      const { content, structuredContent: structured, isError = false } = await client.callTool({ name, arguments: args });
      const [first] = content as { text: string }[];
      const text = first?.text ?? '';
      return { isError: isError === true, structured, body: JSON.parse(text), text };
    },
    close: () => client.close(),
  };
}
