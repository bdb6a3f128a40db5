import { type Operation, readsQuery } from '../../src/contract/operation.ts';
import { ask, json, type WholeAnswer } from '../support/here/requests.ts';
import type { TestService } from '../support/here.ts';

/** Sends a call over HTTP, with the fields of its input where the operation has them. */
export async function callOverHttp(
  service: Pick<TestService, 'fetch'>,
  operation: Pick<Operation, 'method' | 'inBody' | 'path'>,
  input: object,
  headers: Readonly<Record<string, string>> = {},
  method: string = operation.method,
): Promise<WholeAnswer> {
  const asked = { method, leavesStream: true };
  if (!readsQuery(operation))
    return await ask(service, operation.path, { ...asked, headers: { ...headers, ...json }, body: input });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input))
    if (value !== undefined && value !== null) query.append(name, String(value));
  return await ask(service, `${operation.path}?${query}`, { ...asked, headers });
}

/** Returns the status of an answer and the text of its error. */
export const errorIn = ({ status, body }: WholeAnswer) => [status, (body as { error?: string }).error];
