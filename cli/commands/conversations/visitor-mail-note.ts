import { noVisitorMail } from '../../../src/contract/deliveries.ts';
import type { Access } from '../../access/access.ts';
import { remark } from '../../terminal.ts';

/** Says on standard error if the reply that was just stored is not sent to its visitor. */
export async function remarkUnsentMail(access: Access): Promise<void> {
  // A server of an older version does not know what it is asked, and sends none.
  const session = await access.call('session.show', { include: 'visitor_mail' }).catch(() => undefined);
  const mode = session?.visitor_mail;
  if (mode !== undefined && mode !== 'on') remark(noVisitorMail[mode]);
}
