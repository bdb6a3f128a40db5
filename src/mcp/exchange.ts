import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createMcpServer, type McpServerOptions } from './server.ts';

/** Messages of one request. Each call of a tool takes a connection of the database. */
const maxMessages = 20;

export interface ExchangeAnswer {
  readonly status: number;
  /** Null if the request has notifications only. */
  readonly text: string | null;
}

/**
 * Answers one POST of the Streamable HTTP transport, without a session: any instance may answer the next one.
 *
 * @param body - the parsed body, or undefined if it is not JSON
 */
export async function answerExchange(
  url: string,
  headers: Headers,
  body: unknown,
  options: McpServerOptions,
): Promise<ExchangeAnswer> {
  if (body === undefined) return problem(-32700, 'The request body must be JSON.');
  if (Array.isArray(body) && (body.length === 0 || body.length > maxMessages)) {
    return problem(-32600, `A request must have 1 to ${maxMessages} messages.`);
  }
  const server = createMcpServer(options);
  // One JSON answer, which every proxy passes on, instead of a stream.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const request = new Request(url, { method: 'POST', headers });
    const response = await transport.handleRequest(request, { parsedBody: body });
    const text = await response.text();
    return { status: response.status, text: text === '' ? null : text };
  } finally {
    await server.close();
  }
}

function problem(code: number, message: string): ExchangeAnswer {
  return { status: 400, text: JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }) };
}
