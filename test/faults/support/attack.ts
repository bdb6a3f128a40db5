import { type Operation, readsQuery } from '../../../src/contract/operation.ts';
import { statusOf } from '../../../src/http/responses/problem.ts';
import type { HostileInput } from './hostile-inputs.ts';
import type { Identity } from './identities.ts';

const atOnce = 8;

/** What a caller must never see: stacks, places in the code, and what the database says. */
const leak =
  /\n\s+at |\(.+:\d+:\d+\)|node:internal|file:\/\/|\.[jt]s:\d|slonik|pg_catalog|violates|SQLSTATE|syntax error at or near|ECONN/;

/**
 * Sends every input as every member and as one of the strangers, who take turns: they are refused before their input is
 * read. Returns the number of requests, and what was wrong with each wrong answer.
 */
export async function attack(
  url: string,
  operation: Operation,
  { strangers, members }: Readonly<Record<'strangers' | 'members', readonly Identity[]>>,
  inputs: readonly HostileInput[],
) {
  const requests = inputs.flatMap((input, turn) =>
    [strangers[turn % strangers.length] as Identity, ...members].map((identity) => ({ identity, input })),
  );
  const problems: string[] = [];
  const waiting = requests.values();
  const work = async () => {
    for (const { identity, input } of waiting) {
      const problem = await problemWith(url, operation, identity, input);
      if (problem !== undefined)
        problems.push(`${operation.id} as ${identity.name}, ${input.name}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { requests: requests.length, problems };
}

async function problemWith(
  url: string,
  operation: Operation,
  identity: Identity,
  { search, body, headers = { 'content-type': 'application/json' } }: HostileInput,
): Promise<string | undefined> {
  const { method, path } = operation;
  const refusal = identity.refusalOf(operation);
  const response = await fetch(`${url}${path}${search}`, {
    method,
    headers: { ...(body === undefined ? {} : headers), ...identity.headers },
    ...(body === undefined ? {} : { body }),
  }).catch((error: Error) => String(error.cause ?? error));
  if (typeof response === 'string') {
    // The body is not read, so the connection may be closed while it is written.
    return refusal === undefined ? `no answer: ${response}` : undefined;
  }
  const type = response.headers.get('content-type') ?? '';
  if (response.ok && operation.answers === 'events') {
    await response.body?.cancel();
    return type === 'text/event-stream; charset=utf-8' ? undefined : `answered ${type}`;
  }
  const text = await response.text().catch((error: Error) => String(error));
  const { status } = response;
  if (!/^application\/json(;|$)/.test(type)) return `answered ${status} ${type}`;
  const answer = parse(text);
  if (answer === undefined) return `answered ${status} with what is no JSON: ${text.slice(0, 200)}`;
  // Longer heads than Node reads are not seen by any check of ours.
  if (status === 431) return undefined;
  if (refusal !== undefined && status !== refusal) return `answered ${status} instead of ${refusal}`;
  if (response.ok) return undefined;
  const { error } = answer as { readonly error?: unknown };
  if (typeof error !== 'string' || error === '' || Object.keys(answer as object).length > 1)
    return `answered ${status} ${text.slice(0, 200)}`;
  if (leak.test(error)) return `answered ${status} ${error.slice(0, 300)}`;
  return status >= 500 && !isExpected(operation, body, status, error)
    ? `answered ${status} ${error}`
    : undefined;
}

/** Reports whether the contract has the 5xx: a body that is no JSON, or an error that the operation documents. */
function isExpected(
  operation: Operation,
  body: HostileInput['body'],
  status: number,
  error: string,
): boolean {
  if (operation.errors?.some(({ code, text }) => statusOf[code] === status && text === error)) return true;
  const isJson = typeof body === 'string' && parse(body) !== undefined;
  return status === 500 && !readsQuery(operation) && !isJson;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
