import { contactPageKey, readContactPage } from '../../contract/known-settings/contact.ts';
import { selectFirstRecords } from '../../db/tables/first-records.ts';
import { isMailboxRead } from '../../db/tables/mailboxes.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import type { HandlersOf } from './handler-types.ts';

export const connectHandlers = {
  'connect.show': async ({ db }) => ({
    connected: await selectFirstRecords(db),
    contact_page: readContactPage(await selectSettings(db, [contactPageKey])).isOn,
    mailbox: await isMailboxRead(db),
  }),
} satisfies HandlersOf<'connect'>;
