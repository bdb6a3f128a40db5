import { expect, test } from 'vitest';
import { ResponseError } from '../../../src/contract/client/client.ts';
import { type Operation, readsQuery } from '../../../src/contract/operation.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

interface Answer {
  readonly status: number;
  readonly error: string | undefined;
  readonly applied: string | null;
}

async function send(
  { method, inBody, path }: Pick<Operation, 'method' | 'inBody' | 'path'>,
  input: Readonly<Record<string, string>>,
  prefer: Readonly<Record<string, string>> = { prefer: 'handling=strict' },
): Promise<Answer> {
  const inQuery = readsQuery({ method, inBody });
  const query = inQuery ? `?${new URLSearchParams(input)}` : '';
  const response = await backoffice.service.fetch(path + query, {
    method,
    headers: { cookie: backoffice.superadmin.cookie, ...prefer },
    ...(inQuery ? {} : { body: JSON.stringify(input) }),
  });
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const body = isJson ? ((await response.json()) as { error?: string }) : {};
  await response.body?.cancel().catch(() => {});
  return { status: response.status, error: body.error, applied: response.headers.get('preference-applied') };
}

const list = { method: 'GET', path: '/api/admin/issues' } as const;

test.for([
  ['stauts', 'Did you mean status?'],
  ['Status', 'Did you mean status?'],
  ['limits', 'Did you mean limit?'],
  ['sorted', 'Did you mean sort?'],
] as const)('the error names the nearest parameter: %s', async ([name, hint]) => {
  expect(await send(list, { [name]: '1' })).toMatchObject({
    status: 400,
    error: `Unknown parameter: ${JSON.stringify(name)}. ${hint}`,
  });
});

test('the error names the nearest field of a body', async () => {
  const create = { method: 'POST', path: '/api/admin/issues' } as const;
  expect(await send(create, { title: 'One', severty: 'High' })).toMatchObject({
    status: 400,
    error: 'Unknown field: "severty". Did you mean severity?',
  });
});

test('known parameters pass, and the answer says that the preference was applied', async () => {
  expect(await send(list, { status: 'Open', sort: 'created_at', limit: '1' })).toEqual({
    status: 200,
    error: undefined,
    applied: 'handling=strict',
  });
});

test.for([
  'handling=strict',
  'Handling=Strict',
  'handling="strict"',
  'respond-async, handling=strict',
  'handling=strict; why=not',
  'wait=10,handling = strict',
  'handling=strict, handling=lenient',
])('a preference for it: %s', async (prefer) => {
  expect((await send(list, { stauts: '1' }, { prefer })).status).toBe(400);
});

test.for([
  undefined,
  '',
  'handling=lenient',
  'handling=lenient, handling=strict',
  'return=minimal',
  'unhandling=strict',
])('no preference for it, so unknown parameters are ignored: %s', async (prefer) => {
  expect(await send(list, { stauts: '1' }, prefer === undefined ? {} : { prefer })).toEqual({
    status: 200,
    error: undefined,
    applied: null,
  });
});

test('the checks before validation come first', async () => {
  const response = await backoffice.service.fetch('/api/admin/issues?stauts=1', {
    headers: { prefer: 'handling=strict' },
  });
  expect(response.status).toBe(401);
});

test('our own client asks for it', async () => {
  const { client } = backoffice.superadmin;
  const call = client.call('issues.list', { stauts: 'Open' } as object);
  await expect(call).rejects.toThrow(ResponseError);
  await expect(call).rejects.toThrow('Did you mean status?');
});
