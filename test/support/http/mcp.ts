import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** Connects the official client over a transport. */
export async function connectAgent(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'tests', version: '0' });
  await client.connect(transport);
  return client;
}

/** Connects to a service over HTTP with a token. */
export async function connectOverHttp(url: string, token: string): Promise<Client> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  return await connectAgent(
    new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), { requestInit }) as Transport,
  );
}

/** Calls a tool. */
export async function callTool(client: Client, name: string, args: object = {}): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
}

/** Returns the sentence of a result that is an error. */
export function errorOf({ isError, content }: CallToolResult): string | undefined {
  const [first] = content;
  return isError && first?.type === 'text' ? first.text : undefined;
}
