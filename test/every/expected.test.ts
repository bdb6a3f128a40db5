import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../../src/contract/operation.ts';
import { type OperationId, operations } from '../../src/contract/registry.ts';
import { backofficeHere } from '../support/here.ts';
import { answerAfter } from '../support/postgres.ts';
import { callOverHttp, errorIn } from './call.ts';
import type { Fixture } from './fixture.ts';
import { fixtures } from './fixtures.ts';

const backoffice = backofficeHere();

/** What a call that takes `expected` changes: the table of its row, and a text of the row that somebody else changes. */
interface Changed {
  readonly table: string;
  readonly text: string;
}

const issues = { table: 'issues', text: 'severity' };
const conversations = { table: 'conversations', text: 'subject' };
const admins = { table: 'admins', text: 'username' };

/** `settings.update` compares values of any keys: `settings.test.ts`. */
const changedBy: Partial<Readonly<Record<OperationId, Changed>>> = {
  'issues.changeStatus': issues,
  'issues.update': issues,
  'conversations.changeStatus': conversations,
  'conversations.update': conversations,
  'messages.create': { table: 'conversation_messages', text: 'ai_draft' },
  'messages.updateDraft': { table: 'conversation_messages', text: 'ai_draft' },
  'comments.update': { table: 'comments', text: 'content' },
  'savedReplies.update': { table: 'saved_replies', text: 'content' },
  'admins.update': admins,
  'admins.changeActivity': admins,
  'webhooks.update': { table: 'webhooks', text: 'description' },
};

/** Returns what `expected` may have, of any form of the input. */
function expectedFieldsOf({ input }: Operation): Record<string, z.core.JSONSchema.BaseSchema> {
  const { properties, anyOf = [] } = z.toJSONSchema(input, { unrepresentable: 'any', io: 'input' });
  const forms = [{ properties }, ...anyOf];
  return Object.assign(
    {},
    ...forms.map((form) => {
      const { expected } = form.properties ?? {};
      return typeof expected === 'object' ? expected.properties : {};
    }),
  );
}

const taking = (operations as readonly Operation[])
  .map((operation) => ({ operation, fields: expectedFieldsOf(operation) }))
  .filter(({ fields }) => Object.keys(fields).length > 0)
  .map(({ operation, fields }) => ({
    operation,
    fields,
    id: operation.id,
    fixture: fixtures[operation.id as OperationId] as Fixture,
    ...(changedBy[operation.id as OperationId] ?? { table: '', text: '' }),
  }));

test('every operation that takes `expected` is tested here', () => {
  expect(taking.map(({ id }) => id).toSorted()).toEqual(Object.keys(changedBy).toSorted());
});

describe.for(taking)('$id', ({ operation, fields, fixture, table, text }) => {
  type Input = Readonly<Record<string, unknown>>;
  const send = (input: Input, expected: unknown) =>
    callOverHttp(
      backoffice.service,
      operation,
      { ...input, expected },
      { cookie: backoffice.superadmin.cookie },
    );

  /** Makes a row. Returns an input that changes it, and how to read the whole row and its fields as a caller sees them. */
  async function prepare() {
    const { superadmin: caller } = backoffice;
    const input = (await fixture.input?.(Object.assign(Object.create(backoffice), { caller }))) as Input;
    const id = input.id ?? input.approve ?? (input.ids as unknown[])[0];
    const stored = async () => {
      const [row = {}] = await backoffice.sql(`select * from ${table} where id = $1`, [id]);
      return row;
    };
    const seen = async () => {
      const row = Object.entries(await stored()).filter(([name]) => name in fields);
      return JSON.parse(JSON.stringify(Object.fromEntries(row))) as Input;
    };
    return { input, id, stored, seen };
  }

  /** Makes a call that is refused, and expects that it neither changes the row nor is recorded. */
  async function refusal(expected: unknown) {
    const { input, stored } = await prepare();
    const records = () => backoffice.sql('select max(id) from audit_records');
    const before = [await stored(), await records()];
    const answer = errorIn(await send(input, expected));
    expect([await stored(), await records()]).toEqual(before);
    return answer;
  }

  test('changes what is still as the caller saw it: any field of the list', async () => {
    const { input, seen } = await prepare();
    const all = await seen();
    expect(Object.keys(all).toSorted()).toEqual(Object.keys(fields).toSorted());
    expect((await send(input, all)).status).toBe(200);
  });

  test.for(Object.entries(fields))(
    'changes and records nothing if %s is different',
    async ([name, { type }]) => {
      const other =
        { number: 7, integer: 7, boolean: true, array: ['issue.created'] }[String(type)] ?? 'Another';
      const [status, error] = await refusal({ [name]: other });
      expect(status).toBe(409);
      expect(error).toMatch(new RegExp(`^Changed meanwhile: ${name} is (now .|no longer set)`));
    },
  );

  test('waits for a change that is under way, and sees its result', async () => {
    const { input, id, seen } = await prepare();
    const expected = { [text]: (await seen())[text] };
    const theirs = `update ${table} set ${text} = 'Theirs' where id = $1`;
    const answer = await answerAfter(backoffice, [theirs, [id]], () => send(input, expected));
    expect(errorIn(answer)).toEqual([409, `Changed meanwhile: ${text} is now Theirs.`]);
  });

  test('says so if the row is gone', async () => {
    const { input } = await prepare();
    const [idField = ''] = ['id', 'approve', 'ids'].filter((name) => name in input);
    const gone = String(2 ** 40);
    const answer = await send({ ...input, [idField]: idField === 'ids' ? [gone] : gone }, { [text]: 'Old' });
    expect(errorIn(answer)).toEqual([
      409,
      expect.stringMatching(/^Changed meanwhile: the [a-z ]+ no longer exists\.$/),
    ]);
  });

  test('is 400 if `expected` has no such form', async () => {
    const [first = ''] = Object.keys(fields);
    const unknown = `expected has an unknown field: "unheard_of". Known fields: ${Object.keys(fields).join(', ')}.`;
    const wrongType = expect.stringMatching(new RegExp(`^expected\\.${first} must be a string`));
    expect(await refusal({ unheard_of: 'x' })).toEqual([400, unknown]);
    expect(await refusal({ [first]: { a: 1 } })).toEqual([400, wrongType]);
  });
});
