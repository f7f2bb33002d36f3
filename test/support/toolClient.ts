import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Versions of the protocol: `legacy` is the 2025 version with a handshake, and `auto` the stateless 2026 version. */
export const PROTOCOL_MODES = ['legacy', 'auto'] as const;
export type ProtocolMode = (typeof PROTOCOL_MODES)[number];

/** Result of a tool call. */
export interface ToolResult {
  readonly isError: boolean;
  readonly structured: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare responses
  readonly body: any;
  readonly text: string;
}

/** Connects a public client to a graph's tools, with an API key. */
export async function connectTools(url: string, key: string, era: ProtocolMode = 'auto') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name).sort(),
    call: async (name: string, args: Record<string, unknown> = {}): Promise<ToolResult> => {
      const { content, structuredContent: structured, isError = false } = await client.callTool({ name, arguments: args });
      const [first] = content as { text: string }[];
      const text = first?.text ?? '';
      return { isError: isError === true, structured, body: JSON.parse(text), text };
    },
    close: () => client.close(),
  };
}
