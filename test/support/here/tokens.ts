import { sql } from 'slonik';
import { operationOf } from '../../../src/contract/registry.ts';
import type { Role } from '../../../src/contract/vocabulary.ts';
import type { Pool } from '../../../src/db/connection/database.ts';
import { localOperator } from '../../../src/services/call/actor.ts';
import { changesOf } from '../../../src/services/call/changes.ts';
import { addApiToken } from '../../../src/services/sign-in/tokens.ts';

interface WantedToken {
  readonly role: Role;
  readonly name?: string;
  readonly createdBy?: string;
  /** ISO 8601, or null for a token that does not expire. */
  readonly expiresAt?: string | null;
}

let others = 0;

/** Creates a token as the local operator does. If there is one with this name, it gets a number. */
export async function createApiToken(
  db: Pool,
  { role, name = 'tests', createdBy = 'tests', expiresAt = null }: WantedToken,
) {
  const change = changesOf(db, localOperator(createdBy), operationOf('tokens.create'));
  const fields = {
    role,
    scope: 'all',
    isReadOnly: false,
    createdBy,
    ownerId: null,
    parentId: null,
    days: null,
  } as const;
  const created = await change(
    async (tx, touch) =>
      (await addApiToken(tx, touch, { ...fields, name })) ??
      (await addApiToken(tx, touch, { ...fields, name: `${name} ${process.pid}.${++others}` })),
  );
  if (created === null) throw new Error(`There is already a token ${name}.`);
  if (expiresAt !== null) {
    await db.query(
      sql.unsafe`update api_tokens set expires_at = ${expiresAt}::timestamptz where id = ${created.token.id}`,
    );
  }
  return created;
}
