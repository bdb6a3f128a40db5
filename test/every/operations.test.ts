import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fieldNamesOf } from '../../src/contract/field-names.ts';
import { type Operation, readsQuery } from '../../src/contract/operation.ts';
import { type OperationId, operations } from '../../src/contract/registry.ts';
import { takesIdempotencyKey } from '../../src/contract/route.ts';
import { roles } from '../../src/contract/vocabulary.ts';
import { statusOf } from '../../src/http/responses/problem.ts';
import { sendHead } from '../support/here/requests.ts';
import { backofficeHere, type SignedIn } from '../support/here.ts';
import { type Answer, callOverHttp, errorIn } from './call.ts';
import type { Fixture, Given } from './fixture.ts';
import { fixtures } from './fixtures.ts';
import { fieldsRefusedWith, testedElsewhere } from './refusals.ts';

/** Mails are queued, and nothing sends them. */
const backoffice = backofficeHere({
  SMTP_URL: 'smtp://127.0.0.1:9',
  BACKOFFICE_PUBLIC_URL: 'https://backoffice.example.com',
});
const every = (operations as readonly Operation[]).map((operation) => ({
  ...operation,
  operation,
  fixture: fixtures[operation.id as OperationId] as Fixture,
}));

const givenTo = (caller: SignedIn): Given => Object.assign(Object.create(backoffice), { caller });

/** Returns an input with which the call succeeds. */
const inputFor = async ({ input }: Fixture, caller: SignedIn): Promise<object> =>
  (await input?.(givenTo(caller))) ?? {};

/** Returns who called, what changed, and by which operation, after the record with that id. */
const recordsAfter = (id: string) =>
  backoffice.sql<{ event: string; operation: string; actor_name: string }>(
    'select event, operation, actor_name from audit_records where id > $1 order by id',
    [id],
  );
const lastRecord = async () =>
  (await backoffice.sql<{ id: string }>('select coalesce(max(id), 0) as id from audit_records'))[0]?.id ??
  '0';

/** Prepare what gives no access yet. `factors.verify` and `device.token` record it. */
const preparations: readonly string[] = ['factors.create', 'device.create', 'device.approve', 'device.deny'];

/** `comments.list` takes only one of several ids. */
const needsKnownId: readonly string[] = ['factors.verify', 'comments.list'];
const unknownIds = ['none', '0', '-1', '1.5', '1e3', '%', '99999999999999999999', "' or 1=1 --", '🐛'];

/** Record that somebody wrote or erased, also if nothing is different. */
const recordsAgain: readonly string[] = [
  'settings.update',
  'admins.update',
  'webhooks.update',
  'visitors.erase',
];

/** Of any type, they are only wrong. */
const credentials = /^session\.|^factors\.reset\.|\.current_password$/;

/**
 * Without those of each response and of the connection, which Node's client asks to close after HEAD. Whether there is a
 * next page is known only when the rows are read.
 */
const unsteady = [
  'x-request-id',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'link',
];
const steadyHeadersOf = ({ headers }: Answer) =>
  Object.fromEntries([...headers].filter(([name]) => !unsteady.includes(name)));

describe.for(every)('$id', ({ operation, fixture, id, method, path, allow, changes = [], errors = [] }) => {
  const isOpen = allow.to === 'anyone';
  const success = operation.accepted ? 202 : 200;
  const hasBody = !readsQuery(operation);
  /** The head of a request whose body never comes: an answer proves that the service did not wait for it. */
  const announced = [
    `${method} ${path} HTTP/1.1`,
    ...(hasBody ? ['Content-Type: application/json', 'Content-Length: 1000000'] : ['Connection: close']),
  ];

  test.skipIf(isOpen)('is 401 without a session, before the body is read', async () => {
    const answer = await sendHead(backoffice.service.url, announced);
    expect(answer).toMatch(/^HTTP\/1\.1 401 .*\r\nconnection: close\r\n/is);
    expect(answer.split('\r\n\r\n')[1]).toContain('{"error":"Unauthorized"}');
  });

  test.for(roles)('as %s', async (role) => {
    const caller = await backoffice.service.signIn(role);
    if (allow.to === 'roles' && !allow.roles.includes(role)) {
      const refused = await sendHead(backoffice.service.url, [...announced, `Cookie: ${caller.cookie}`]);
      expect(refused).toMatch(/^HTTP\/1\.1 403 .*\r\nconnection: close\r\n/is);
      expect(refused.split('\r\n\r\n')[1]).toContain(JSON.stringify({ error: allow.otherwise.text }));
      return;
    }
    const input = await inputFor(fixture, caller);
    const before = await lastRecord();
    const answer = await callOverHttp(backoffice.service, operation, input, { cookie: caller.cookie });
    expect([answer.status, answer.text]).toEqual([success, expect.any(String)]);
    if (answer.text !== '') operation.output.parse(JSON.parse(answer.text));
    const recorded = await recordsAfter(before);
    // What is only accepted changes something later.
    expect(recorded.length > 0).toBe(changes.length > 0 && !operation.accepted);
    for (const record of recorded) {
      expect(record.operation).toBe(id);
      expect(changes).toContain(record.event);
      if (!isOpen) expect(record.actor_name).toBe(caller.email);
    }
  });

  test('declares what it changes, if it is no read', () => {
    const changesNothing = method === 'GET' || preparations.includes(id);
    expect(changes.length === 0).toBe(changesNothing);
  });

  test.runIf(method === 'GET')('answers HEAD like GET, without a body', async () => {
    const caller = backoffice.superadmin;
    const input = await inputFor(fixture, caller);
    // Without compression the length of the text is known.
    const headers = { cookie: caller.cookie, 'accept-encoding': 'identity' };
    const [head, get] = [
      await callOverHttp(backoffice.service, operation, input, headers, 'HEAD'),
      await callOverHttp(backoffice.service, operation, input, headers),
    ];
    expect([head.status, head.text]).toEqual([get.status, '']);
    // It tells of the latest event, which may be published in between.
    const tag = id === 'session.show' ? { etag: expect.any(String) } : {};
    expect(steadyHeadersOf(head)).toEqual({ ...steadyHeadersOf(get), ...tag });
  });

  test('refuses an unknown field under strict handling, before any other', async () => {
    expect(fieldNamesOf(operation.input)).toBeDefined();
    const answer = await callOverHttp(
      backoffice.service,
      operation,
      { zzzzzzzzzzzzzzzzzzzz: '1' },
      { cookie: backoffice.superadmin.cookie, prefer: 'handling=strict' },
    );
    expect(errorIn(answer)).toEqual([
      400,
      `Unknown ${hasBody ? 'field' : 'parameter'}: "zzzzzzzzzzzzzzzzzzzz".`,
    ]);
    expect(answer.headers.get('preference-applied')).toBe('handling=strict');
  });

  const documented = new Map(errors.map(({ code, text }) => [text, statusOf[code]]));
  const texts = [...documented.keys()].filter((text) => documented.get(text) === 400);

  test('has a case for each documented text of a 400', async () => {
    const untested = texts.filter(
      (text) =>
        (fixture.refused?.[text] ?? fieldsRefusedWith(text)) === undefined && !(text in testedElsewhere),
    );
    expect(untested).toEqual([]);
  });

  const refused = new Set([...Object.keys(fixture.refused ?? {}), ...texts]);

  test('is refused with each of its texts, and records nothing', async () => {
    const caller = await backoffice.service.signIn('superadmin');
    const input = await inputFor(fixture, caller);
    const { cookie } = caller;
    for (const text of refused) {
      const status = documented.get(text) ?? (text.startsWith('Changed meanwhile') ? 409 : 400);
      for (const refusal of fixture.refused?.[text] ?? fieldsRefusedWith(text) ?? []) {
        const fields = typeof refusal === 'function' ? await refusal(givenTo(caller)) : refusal;
        const before = await lastRecord();
        const answer = await callOverHttp(backoffice.service, operation, { ...input, ...fields }, { cookie });
        expect.soft(await lastRecord(), text).toBe(before);
        expect.soft(errorIn(answer), JSON.stringify(fields).slice(0, 200)).toEqual([status, text]);
      }
    }
  });

  const { properties = {} } = z.toJSONSchema(operation.input, { unrepresentable: 'any', io: 'input' });
  /** The fields that are texts and nothing else. */
  const ofTexts = Object.entries(properties).flatMap(([name, field]) =>
    typeof field === 'object' && field.type === 'string' ? [name] : [],
  );

  test.runIf(ofTexts.length > 0)('refuses a NUL in each text, and names the field', async () => {
    const caller = await backoffice.service.signIn('superadmin');
    const input = await inputFor(fixture, caller);
    for (const name of ofTexts) {
      const given = { ...input, [name]: 'a\0b' };
      expect
        .soft(errorIn(await callOverHttp(backoffice.service, operation, given, { cookie: caller.cookie })))
        .toEqual([400, `${name} must not contain a NUL character.`]);
    }
  });

  const checked = hasBody ? ofTexts.filter((name) => !credentials.test(`${id}.${name}`)) : [];

  test.runIf(checked.length > 0)('refuses any other type in each text', async () => {
    const caller = await backoffice.service.signIn('superadmin');
    const input = await inputFor(fixture, caller);
    for (const name of checked)
      for (const wrong of [123, true, { a: 1 }, ['text']]) {
        const given = { ...input, [name]: wrong };
        const [status, error = ''] = errorIn(
          await callOverHttp(backoffice.service, operation, given, { cookie: caller.cookie }),
        );
        expect.soft(status, `${name} ${JSON.stringify(wrong)}`).toBe(400);
        expect
          .soft(error, name)
          .toSatisfy((text: string) => text.startsWith(`${name} `) || texts.includes(text));
      }
  });

  test.runIf('id' in properties && !needsKnownId.includes(id))(
    'succeeds for an unknown id, and changes nothing',
    async () => {
      const { cookie } = await backoffice.service.signIn('superadmin');
      const input = await inputFor(fixture, backoffice.superadmin);
      const before = await lastRecord();
      for (const unknown of unknownIds) {
        const answer = await callOverHttp(
          backoffice.service,
          operation,
          { ...input, id: unknown },
          { cookie },
        );
        expect.soft(answer.status, unknown).toBe(200);
      }
      expect(await lastRecord()).toBe(before);
    },
  );

  const setsState = method !== 'GET' && method !== 'POST' && changes.length > 0;
  test.runIf(setsState && !recordsAgain.includes(id))('records nothing if it is repeated', async () => {
    const caller = await backoffice.service.signIn('superadmin');
    const input = await inputFor(fixture, caller);
    const send = () => callOverHttp(backoffice.service, operation, input, { cookie: caller.cookie });
    expect((await send()).status).toBe(success);
    const recorded = await lastRecord();
    await send();
    expect(await lastRecord()).toBe(recorded);
  });

  test.runIf(takesIdempotencyKey(operation))('does its work once for two requests with one key', async () => {
    const caller = await backoffice.service.signIn('superadmin');
    const input = await inputFor(fixture, caller);
    const headers = { cookie: caller.cookie, 'idempotency-key': `of ${id}` };
    const first = await callOverHttp(backoffice.service, operation, input, headers);
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([success, null]);
    const recorded = await lastRecord();
    const second = await callOverHttp(backoffice.service, operation, input, headers);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await lastRecord()).toBe(recorded);
  });
});

test('every POST takes a key, except those that are open to anyone or check a password or a code', () => {
  const without = every.filter(
    ({ operation }) => operation.method === 'POST' && !takesIdempotencyKey(operation),
  );
  expect(without.filter(({ allow }) => allow.to !== 'anyone').map(({ id }) => id)).toEqual([
    'device.approve',
    'device.deny',
    'factors.create',
    'factors.createRecoveryCodes',
  ]);
});

test('what is tested elsewhere is tested there', async () => {
  for (const [text, file] of Object.entries(testedElsewhere))
    expect(await readFile(file, 'utf8'), file).toContain(text);
});
