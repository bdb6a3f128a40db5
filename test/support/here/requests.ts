import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'vitest';

/** The parts of a response that the contract defines. */
export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Sends requests under `/api/admin` without the typed client, so that a test controls every byte. */
export type Api = ReturnType<typeof apiAs>;

/** The headers that identify a caller. */
export interface Caller {
  readonly cookie?: string;
  readonly authorization?: string;
}

/** Returns the headers that identify a caller, by a cookie or a token. */
const headersOf = ({ cookie, authorization }: Caller): Record<string, string> => ({
  ...(cookie === undefined ? {} : { cookie }),
  ...(authorization === undefined ? {} : { authorization }),
});

/** Fetches paths of the service at a URL. */
export const at = (url = '') => ({ fetch: (path: string, init?: RequestInit) => fetch(url + path, init) });

/** The header of a body of JSON. */
export const json = { 'content-type': 'application/json' };

/**
 * Returns functions that send requests to the service at the URL.
 *
 * @param caller - whose cookie or API token is sent; none by default
 */
export function apiAs(url: string, caller: Caller = {}) {
  async function send(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    const headers = body === undefined ? {} : json;
    const asked = { method, as: caller, headers, body, leavesStream: true };
    const answer = await ask(at(`${url}/api/admin`), path, asked);
    return { status: answer.status, body: answer.body };
  }
  return {
    get: (path: string) => send('GET', path),
    /** Sends a string as it is, and any other body as JSON. */
    post: (path: string, body: unknown) => send('POST', path, body),
    put: (path: string, body: unknown) => send('PUT', path, body),
    patch: (path: string, body: unknown) => send('PATCH', path, body),
    delete: (path: string, body?: unknown) => send('DELETE', path, body),
  };
}

/** An answer of which a test needs more than its status and its JSON. */
export interface WholeAnswer extends ApiResponse {
  readonly headers: Headers;
  readonly text: string;
  /** The `Cookie` header of the session that it starts. */
  readonly cookie: string | undefined;
  readonly retryAfter: string | null;
}

/** Sends a request with any headers, as a caller or as nobody, and reads the answer. */
export async function ask(
  { fetch }: { fetch(path: string, init: RequestInit): Promise<Response> },
  path: string,
  { method = 'GET', as = {}, headers = {}, body, leavesStream = false }: Asked = {},
): Promise<WholeAnswer> {
  const response = await fetch(path, {
    method,
    headers: { ...headersOf(as), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const type = response.headers.get('content-type') ?? '';
  const parts = {
    status: response.status,
    headers: response.headers,
    cookie: response.headers.getSetCookie()[0]?.split(';', 1)[0],
    retryAfter: response.headers.get('retry-after'),
  };
  if (leavesStream && type === 'text/event-stream; charset=utf-8') {
    await response.body?.cancel();
    return { ...parts, text: '', body: null };
  }
  const text = await response.text();
  return { ...parts, text, body: type.includes('json') && text !== '' ? JSON.parse(text) : undefined };
}

interface Asked {
  readonly method?: string;
  readonly as?: Caller;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A string is sent as it is, and any other body as JSON. */
  readonly body?: unknown;
  /** Whether the answer is only the start of an event stream, which may not end. */
  readonly leavesStream?: boolean;
}

/** Returns the headers of a caller with an API token. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The response to a successful change that returns no other fields. */
export const success: ApiResponse = { status: 200, body: { success: true } };

/** Returns the response to a bulk change. Without the fields, it found no rows. */
export function bulkAnswer(fields: object): ApiResponse {
  const nothing = { matched: 0, changed: 0, unchanged: 0, unknown: [], remaining: 0, change_id: null };
  return { status: 200, body: { success: true, ...nothing, ...fields } };
}

/** Returns the response to a request that fails with this text (contract section 7). */
export function errorResponse(status: number, error: string): ApiResponse {
  return { status, body: { error } };
}

/** Returns a matcher for the response to a request that fails with a text that matches. */
export function errorResponseLike(status: number, error: RegExp): ApiResponse {
  return { status, body: { error: expect.stringMatching(error) } };
}

/** Matches the format of every timestamp: UTC with milliseconds. */
export const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Sends that many requests at once. */
export function atOnce(times: number, request: (index: number) => Promise<ApiResponse>) {
  return Promise.all(Array.from({ length: times }, (_, index) => request(index)));
}

/** Returns how many of the answers have each status. */
export function countByStatus(answers: readonly Pick<ApiResponse, 'status'>[]): Record<number, number> {
  const byStatus = Map.groupBy(answers, ({ status }) => status);
  return Object.fromEntries([...byStatus].map(([status, { length }]) => [status, length]));
}

/**
 * Sends a POST under `/api/admin` with an `Idempotency-Key`. Returns the whole of the response, which a repeated request
 * must get again.
 */
export async function postWithKey(url: string, as: Caller, path: string, body: unknown, key: string) {
  const asked = { method: 'POST', as, body: JSON.stringify(body) };
  const headers = { ...json, 'idempotency-key': key };
  const answer = await ask(at(`${url}/api/admin`), path, { ...asked, headers });
  return {
    status: answer.status,
    /** The bytes of the body, as text. */
    text: answer.text,
    /** Whether the response says that it is that of an earlier request. */
    replayed: answer.headers.get('idempotency-replayed') === 'true',
    retryAfter: answer.retryAfter,
  };
}

/** Returns the response that a repeated request gets. */
export function replayOf(first: Awaited<ReturnType<typeof postWithKey>>) {
  return { ...first, replayed: true };
}

/**
 * Sends the head of a request without a body, on its own connection. Resolves with the response when the service closes
 * the connection, or as soon as the response matches `until`.
 */
export async function sendHead(url: string, lines: readonly string[], until?: RegExp): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding('latin1');
  socket.write([lines[0], `Host: ${host}`, ...lines.slice(1), '', ''].join('\r\n'));
  let received = '';
  for await (const text of socket) {
    received += text;
    if (until?.test(received)) break;
  }
  return received;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request and resolves with the response, in half the processor time of `fetch`. */
export async function quickRequest(
  url: string,
  options: Pick<RequestOptions, 'method' | 'headers'>,
  body?: string,
): Promise<IncomingMessage> {
  const sent = request(url, { ...options, agent });
  sent.end(body);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (response === undefined) throw new Error('No response.');
  return response;
}

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
