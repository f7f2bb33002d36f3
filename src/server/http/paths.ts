/** Path of the MCP endpoint. */
export const TOOLS_PATH = '/mcp';
