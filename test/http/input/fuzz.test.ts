import { json } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldNamesOf } from '../../../src/contract/field-names.ts';
import { type Operation, readsQuery } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/registry.ts';
import { toCursor } from '../../../src/contract/schemas/lists.ts';
import { statusOf } from '../../../src/http/responses/problem.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { type ApiResponse, quickRequest } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';
import { isSlowRun } from '../../support/slow-run.ts';

const backoffice = backofficeHere();

/** The field names of all requests, and some unknown names. */
const names = [
  ...new Set((operations as readonly Operation[]).flatMap(({ input }) => fieldNamesOf(input) ?? [])),
  ...['__proto__', 'constructor', ''],
];

const oddText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom('Open', 'Closed', 'superadmin', 'a@b.example'),
  fc.constantFrom('\0', '\ud800', "'; drop table issues; --", '%s', '$1'),
  fc.constantFrom('1', '-1', '1e400', 'NaN', 'null', 'x'.repeat(2_000)),
  fc.constantFrom('2026-02-31', '0000-01-01', '9999-12-31T23:59:59.999-23:59'),
  fc
    .tuple(fc.constantFrom('2026-01-31T09:30:00.000000Z', '\0'), fc.constantFrom(1, 1e20, '\0'))
    .map(toCursor),
);
const oddValue = fc.oneof(
  oddText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.double(),
  fc.dictionary(oddText, oddText),
);
const fields = fc.dictionary(fc.constantFrom(...names), oddValue, { maxKeys: 12 });
const body = fc.oneof({ weight: 5, arbitrary: fields }, { weight: 1, arbitrary: fc.jsonValue() });
const query = fc.dictionary(fc.constantFrom(...names), oddText, { maxKeys: 4 });

/** All but sign-in and sign-out: a fuzzed sign-in would only use up the limit of attempts. */
const fuzzed = operations.filter(({ id }) => !id.startsWith('session.'));

async function send(operation: Operation, input: unknown): Promise<ApiResponse> {
  const inQuery = readsQuery(operation);
  const search = inQuery ? `?${new URLSearchParams(Object.entries(input as Record<string, string>))}` : '';
  const { service, superadmin } = backoffice;
  // As `fetch` sends a text.
  const type = inQuery ? {} : { 'content-type': 'text/plain;charset=UTF-8' };
  const response = await quickRequest(
    service.url + operation.path + search,
    { method: operation.method, headers: { cookie: superadmin.cookie, ...type } },
    inQuery ? undefined : JSON.stringify(input),
  );
  const status = response.statusCode ?? 0;
  if (status < 300 && operation.answers === 'events') {
    response.destroy();
    return { status, body: operation.example?.output };
  }
  return { status, body: await json(response) };
}

test.each(fuzzed)('every input of $id gets a valid output or { error }', async (operation: Operation) => {
  await fc.assert(
    fc.asyncProperty(readsQuery(operation) ? query : body, async (input) => {
      const response = await send(operation, input);
      if (response.status === 200) {
        expect(operation.output.safeParse(response.body).error).toBeUndefined();
      } else {
        // Wrong passwords are limited, there is no mail server, and the contact page is off.
        const others = operation.errors?.filter(
          ({ code }) => code === 'rate_limited' || code === 'not_configured',
        );
        const allowed = [
          400,
          403,
          operation.id === 'contact.create' ? 404 : 409,
          ...(others ?? []).map(({ code }) => statusOf[code]),
        ];
        expect(allowed).toContain(response.status);
        expect(response.body).toEqual({ error: expect.stringMatching(/\S/) });
      }
    }),
    { numRuns: isSlowRun ? 100 : 10 },
  );
});
