import { glob, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { intakeOnly } from '../../src/contract/errors.ts';
import { fieldNamesOf } from '../../src/contract/field-names.ts';
import { insufficientPermissions, type Operation, readsQuery } from '../../src/contract/operation.ts';
import { type OperationId, operations } from '../../src/contract/registry.ts';
import { takesIdempotencyKey } from '../../src/contract/route.ts';
import { type Role, roles } from '../../src/contract/vocabulary.ts';
import { statusOf, statusOfSuccess } from '../../src/http/responses/problem.ts';
import { ask, json, sendHead, type WholeAnswer } from '../support/here/requests.ts';
import { backofficeHere, type SignedIn } from '../support/here.ts';
import { callOverHttp, errorIn } from './call.ts';
import type { Fixture, Given } from './fixture.ts';
import { fixtures } from './fixtures.ts';
import { fieldsRefusedWith, testedElsewhere } from './refusals.ts';

/** Mails are queued, and nothing sends them. */
const backoffice = backofficeHere({
  SMTP_URL: 'smtp://127.0.0.1:9',
  BACKOFFICE_PUBLIC_URL: 'https://backoffice.example.com',
});

/** Who calls what neither ends a session nor changes how its caller signs in. */
const callers = {} as Record<Role, SignedIn>;
/** The header of a token that may only send data in. */
let intake: { readonly authorization: string };
beforeAll(async () => {
  for (const role of roles) callers[role] = await backoffice.service.signIn(role);
  const wanted = { name: 'website', role: 'superadmin', scope: 'intake' } as const;
  const { secret } = await backoffice.superadmin.client.call('tokens.create', wanted);
  intake = { authorization: `Bearer ${secret}` };
});
const needsOwnCaller = /^(session|sessions|factors|invitations|passwordReset)\./;

const every = (operations as readonly Operation[]).map((operation) => ({
  ...operation,
  operation,
  fixture: fixtures[operation.id as OperationId] as Fixture,
}));

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
const needsKnownId: readonly string[] = [
  ...['factors.verify', 'comments.list'],
  ...['messages.attachment', 'messages.source'],
];
const unknownIds = ['none', '0', '-1', '1.5', '1e3', '%', '99999999999999999999', "' or 1=1 --", '🐛'];

/** Record that somebody wrote or erased, also if nothing is different. */
const recordsAgain: readonly string[] = [
  'settings.update',
  'admins.update',
  'webhooks.update',
  'visitors.erase',
];

/** What a token of the scope `intake` may call. */
const sendsIn: readonly string[] = [
  ...['issues.create', 'conversations.create', 'messages.create'],
  ...['tokenUsage.record', 'scrapingRuns.record', 'mail.receive'],
];

/** The operations of the contract that take a body. */
const ofContract: readonly string[] = [
  ...['issues.create', 'issues.changeStatus', 'conversations.create'],
  ...['settings.update', 'admins.create', 'admins.update'],
];

/** Of any type, they are only wrong. */
const credentials = /^session\.|^factors\.reset\.|\.current_password$/;

/**
 * Without those of each response and of the connection, which Node's client asks to close after HEAD. Whether there is a
 * next page is known only when the rows are read.
 */
const unsteady = /^(x-request-id|date|connection|keep-alive|transfer-encoding|content-length|link)$/;
const steadyHeadersOf = ({ headers }: WholeAnswer) =>
  Object.fromEntries([...headers].filter(([name]) => !unsteady.test(name)));

describe.for(every)('$id', ({ operation, fixture, id, method, path, allow, changes = [], errors = [] }) => {
  const isOpen = allow.to === 'anyone';
  const success = statusOfSuccess(operation);
  const hasBody = !readsQuery(operation);

  /**
   * Sends the head of a request whose body never comes: an answer proves that the service did not wait for it. Returns the
   * status and the body of that.
   */
  async function sendAnnounced(...headers: readonly string[]) {
    const body = hasBody
      ? ['Content-Type: application/json', 'Content-Length: 1000000']
      : ['Connection: close'];
    const answer = await sendHead(backoffice.service.url, [
      `${method} ${path} HTTP/1.1`,
      ...body,
      ...headers,
    ]);
    const [head = '', text] = answer.split('\r\n\r\n');
    expect(head).toMatch(/\r\nconnection: close(\r\n|$)/i);
    return [Number(head.split(' ')[1]), text];
  }

  /** Returns a caller and an input with which their call succeeds, and sends it with other fields and headers. */
  async function prepare(role: Role = 'superadmin') {
    const caller = needsOwnCaller.test(id) ? await backoffice.service.signIn(role) : callers[role];
    const given: Given = Object.assign(Object.create(backoffice), { caller });
    const input: object = (await fixture.input?.(given)) ?? {};
    const send = (
      fields: object = {},
      headers: Readonly<Record<string, string>> = {},
      otherMethod: string = method,
    ) =>
      callOverHttp(
        backoffice.service,
        operation,
        { ...input, ...fields },
        { cookie: caller.cookie, ...headers },
        otherMethod,
      );
    return { caller, given, send };
  }

  test.skipIf(isOpen)('is 401 without a session, before the body is read', async () => {
    expect(await sendAnnounced()).toEqual([401, expect.stringContaining('{"error":"Unauthorized"}')]);
  });

  test.for(roles)('as %s', async (role) => {
    if (allow.to === 'roles' && !allow.roles.includes(role)) {
      const { cookie } = callers[role];
      const error = JSON.stringify({ error: insufficientPermissions.text });
      expect(await sendAnnounced(`Cookie: ${cookie}`)).toEqual([403, expect.stringContaining(error)]);
      return;
    }
    const { caller, send } = await prepare(role);
    const before = await lastRecord();
    const answer = await send();
    expect([answer.status, answer.text]).toEqual([success, expect.any(String)]);
    if (answer.text !== '' && operation.answers !== 'file') operation.output.parse(answer.body);
    const recorded = await recordsAfter(before);
    // What is only accepted changes something later, except a mail.
    const changesLater = operation.accepted && id !== 'mail.receive';
    expect(recorded.length > 0).toBe(changes.length > 0 && !changesLater);
    for (const record of recorded) {
      expect(record.operation).toBe(id);
      expect(changes).toContain(record.event);
      if (!isOpen) expect(record.actor_name).toBe(caller.email);
    }
  });

  test('takes an intake token only to send data in, and refuses it before the body is read', async () => {
    const error = JSON.stringify({ error: intakeOnly.text });
    if (operation.intake === undefined) {
      const announced = await sendAnnounced(`Authorization: ${intake.authorization}`);
      expect(announced).toEqual([403, expect.stringContaining(error)]);
      return;
    }
    expect(sendsIn).toContain(id);
    const { send } = await prepare();
    const asToken = { cookie: '', ...intake };
    if (id === 'messages.create')
      for (const fields of [{}, { sender_type: 'admin' }, { sender_type: 'visitor', approve: 1 }])
        expect((await send(fields, asToken)).text).toBe(error);
    const asVisitor = { sender_type: 'visitor', approve: null, content: 'Thank you!' };
    expect((await send(asVisitor, asToken)).status).toBe(success);
  });

  test('declares what it changes, if it is no read', () => {
    const changesNothing = method === 'GET' || preparations.includes(id);
    expect(changes.length === 0).toBe(changesNothing);
  });

  test.runIf(method === 'GET')('answers HEAD like GET, without a body', async () => {
    const { send } = await prepare();
    // Without compression the length of the text is known.
    const headers = { 'accept-encoding': 'identity' };
    const [head, get] = [await send({}, headers, 'HEAD'), await send({}, headers)];
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
    const what = hasBody ? 'field' : 'parameter';
    expect(errorIn(answer)).toEqual([400, `Unknown ${what}: "zzzzzzzzzzzzzzzzzzzz".`]);
    expect(answer.headers.get('preference-applied')).toBe('handling=strict');
  });

  test.runIf(hasBody)(
    'answers a body that is not JSON with 400, unless the contract makes it a 500',
    async () => {
      const { cookie } = backoffice.superadmin;
      const request = { method, headers: { cookie, ...json }, body: '{' };
      const [status, error] = errorIn(await ask(backoffice.service, path, request));
      if (ofContract.includes(id)) expect([status, error]).toEqual([500, expect.any(String)]);
      else expect([status, error]).toEqual([400, 'The request body must be JSON.']);
    },
  );

  const documented = new Map(errors.map(({ code, text }) => [text, statusOf[code]]));
  const texts = [...documented.keys()].filter((text) => documented.get(text) === 400);
  const refusalsWith = (text: string) => fixture.refused?.[text] ?? fieldsRefusedWith(text);

  test('is refused with each of its texts, and records nothing', async () => {
    const untested = texts.filter((text) => !refusalsWith(text) && !testedElsewhere.includes(text));
    expect(untested).toEqual([]);
    const { given, send } = await prepare();
    const refused: [text: string, fields: object][] = [];
    for (const text of new Set([...Object.keys(fixture.refused ?? {}), ...texts]))
      for (const refusal of refusalsWith(text) ?? [])
        refused.push([text, typeof refusal === 'function' ? await refusal(given) : refusal]);
    const before = await lastRecord();
    for (const [text, fields] of refused) {
      const status = documented.get(text) ?? (text.startsWith('Changed meanwhile') ? 409 : 400);
      const answer = errorIn(await send(fields));
      expect.soft(answer, JSON.stringify(fields).slice(0, 200)).toEqual([status, text]);
    }
    expect(await lastRecord()).toBe(before);
  });

  const { properties = {} } = z.toJSONSchema(operation.input, { unrepresentable: 'any', io: 'input' });
  /** The fields that are texts and nothing else. */
  const ofTexts = Object.entries(properties).flatMap(([name, field]) =>
    typeof field === 'object' && field.type === 'string' ? [name] : [],
  );

  test.runIf(ofTexts.length > 0)('refuses a NUL and any other type in each text', async () => {
    const { send } = await prepare();
    for (const name of ofTexts) {
      const nul = await send({ [name]: 'a\0b' });
      expect.soft(errorIn(nul)).toEqual([400, `${name} must not contain a NUL character.`]);
      if (!hasBody || credentials.test(`${id}.${name}`)) continue;
      for (const wrong of [123, true, { a: 1 }, ['text']]) {
        const [status, error = ''] = errorIn(await send({ [name]: wrong }));
        const namesField = String(error).startsWith(`${name} `) || texts.includes(String(error));
        expect.soft([status, namesField], `${name} ${JSON.stringify(wrong)}: ${error}`).toEqual([400, true]);
      }
    }
  });

  test.runIf('id' in properties && !needsKnownId.includes(id))(
    'succeeds for an unknown id, and changes nothing',
    async () => {
      const { send } = await prepare();
      const before = await lastRecord();
      for (const unknown of unknownIds) expect.soft((await send({ id: unknown })).status, unknown).toBe(200);
      expect(await lastRecord()).toBe(before);
    },
  );

  const setsState = method !== 'GET' && method !== 'POST' && changes.length > 0;
  test.runIf(setsState && !recordsAgain.includes(id))('records nothing if it is repeated', async () => {
    const { send } = await prepare();
    expect((await send()).status).toBe(success);
    const recorded = await lastRecord();
    await send();
    expect(await lastRecord()).toBe(recorded);
  });

  test.runIf(takesIdempotencyKey(operation))('does its work once for two requests with one key', async () => {
    const { send } = await prepare();
    const headers = { 'idempotency-key': `of ${id}` };
    const first = await send({}, headers);
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([success, null]);
    const recorded = await lastRecord();
    const second = await send({}, headers);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await lastRecord()).toBe(recorded);
  });
});

test('every POST takes a key, except those that are open to anyone, check a password or a code, or take a mail', () => {
  const without = every.filter(
    ({ operation }) => operation.method === 'POST' && !takesIdempotencyKey(operation),
  );
  expect(without.filter(({ allow }) => allow.to !== 'anyone').map(({ id }) => id)).toEqual([
    'mail.receive',
    'device.approve',
    'device.deny',
    'factors.create',
    'factors.createRecoveryCodes',
  ]);
});

test('what is tested elsewhere is tested there', async () => {
  let tests = '';
  for await (const file of glob('test/{every,http,jobs}/**/*.test.ts')) tests += await readFile(file, 'utf8');
  for (const text of testedElsewhere) expect(tests).toContain(text);
});
