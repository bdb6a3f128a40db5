import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { emailForms } from '../../../contract/schemas/stored-email.ts';
import type { Database } from '../../connection/database.ts';

/** Returns the condition that a row has an e-mail, in any of its forms. */
export function isEmail(email: string): FragmentSqlToken {
  return sql.fragment`email = any(${sql.array([...emailForms(email)], 'text')})`;
}

const account = z.object({ id: z.string(), email: z.string() });

/** Returns the e-mails of all admins. */
export async function selectEmails(db: Database) {
  return await db.any(sql.type(account)`select id, email from admins order by created_at, id`);
}
