import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';

type FailedMail = Readonly<Record<'id' | 'kind' | 'recipient' | 'error', string>>;

/** Records a mail that was given up, and why, in a sentence. Does nothing if it is recorded already. */
export async function insertFailedMail(db: Database, { id, kind, recipient, error }: FailedMail) {
  await db.query(sql.unsafe`
    insert into failed_mails (id, kind, recipient, error) values (${id}, ${kind}, ${recipient}, ${error})
    on conflict (id) do nothing
  `);
}

const failures = z.object({ count: z.int(), error: z.string().nullable() });

/** Returns how many mails were given up in the last week, and why the latest was. */
export async function countFailedMails(db: Database): Promise<z.infer<typeof failures>> {
  return await db.one(sql.type(failures)`
    select count(*) as count, (array_agg(error order by failed_at desc))[1] as error
    from failed_mails where failed_at > now() - interval '7 days'
  `);
}
