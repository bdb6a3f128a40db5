import { type Operation, readsQuery } from '../../src/contract/operation.ts';
import type { TestService } from '../support/here.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body. That of an event stream is not read. */
  readonly text: string;
}

/** Sends a call over HTTP, with the fields of its input where the operation has them. */
export async function callOverHttp(
  service: Pick<TestService, 'fetch'>,
  operation: Pick<Operation, 'method' | 'inBody' | 'path'>,
  input: object | string,
  headers: Readonly<Record<string, string>> = {},
  method: string = operation.method,
): Promise<Answer> {
  const inQuery = readsQuery(operation);
  const query = inQuery && typeof input === 'object' ? `?${queryOf(input)}` : '';
  const body = typeof input === 'string' ? input : JSON.stringify(input);
  const response = await service.fetch(operation.path + query, {
    method,
    headers: { ...headers, ...(inQuery ? {} : { 'content-type': 'application/json' }) },
    ...(inQuery ? {} : { body }),
  });
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return { status: response.status, headers: response.headers, text: '' };
  }
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function queryOf(input: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input))
    if (value !== undefined && value !== null) query.append(name, String(value));
  return query.toString();
}

/** Returns the status of an answer and the text of its error. */
export const errorIn = ({ status, text }: Answer) => [status, (JSON.parse(text) as { error?: string }).error];
