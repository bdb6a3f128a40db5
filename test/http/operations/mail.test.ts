import { expect, test } from 'vitest';
import { backofficeHere } from '../../support/here.ts';
import { writeMail, writeMails } from '../../support/receivers/mails.ts';

const backoffice = backofficeHere();

/** Sends a mail as a mail server would. Resolves with its conversation, or null. */
async function receive(raw: Buffer): Promise<string | null> {
  const headers = { cookie: backoffice.superadmin.cookie, 'content-type': 'message/rfc822' };
  const answer = await backoffice.service.fetch('/api/mail/inbound', {
    method: 'POST',
    headers,
    body: new Uint8Array(raw),
  });
  const { conversation } = (await answer.json()) as { conversation: { id: string } | null };
  expect(answer.status).toBe(202);
  return conversation?.id ?? null;
}

const code = 'abcdefghijklmnopqrstuvwxy2';

/** Makes a conversation with a reply that was sent by mail. */
async function answered(email = 'ada@example.com', ownCode = code) {
  const [row] = await backoffice.sql<{ id: string; message: string }>(
    `with made as (
       insert into conversations (visitor_email, visitor_name, subject, reply_code)
       values ($1, 'Ada', 'An invoice', $2) returning id
     )
     insert into conversation_messages (conversation_id, sender_type, content)
     select id, 'admin', 'It is in your inbox.' from made
     returning conversation_id as id, id as message`,
    [email, ownCode],
  );
  const { id = '', message = '' } = row ?? {};
  const mailId = `${message}.${ownCode}@example.com`;
  await backoffice.sql('insert into message_deliveries (message_id, mail_id, state) values ($1, $2, $3)', [
    message,
    mailId,
    'sent',
  ]);
  return { id, message, mailId, email, code: ownCode };
}

const threadOf = async (conversation_id: string) =>
  (await backoffice.superadmin.client.call('messages.list', { conversation_id, include: 'attachments' }))
    .messages;

test('120 mails of all shapes: at least 98 % in the right conversation, none in that of another', async () => {
  const conversation = await answered();
  const mails = writeMails(conversation);
  expect(mails.length).toBeGreaterThanOrEqual(120);
  const wrong: string[] = [];
  let across = 0;
  for (const { name, raw, fate, from, text } of mails) {
    await backoffice.sql(`update conversations set status = 'resolved' where id = $1`, [conversation.id]);
    await backoffice.sql(`update message_deliveries set state = 'sent'`);
    const id = await receive(raw);
    const [delivery] = await backoffice.sql<{ state: string }>('select state from message_deliveries');
    const [row] = await backoffice.sql<{ visitor_email: string; status: string }>(
      'select visitor_email, status from conversations where id = $1',
      [id ?? conversation.id],
    );
    const bounced = delivery?.state === 'bounced' ? 'bounced' : 'none';
    const got = id === null ? bounced : id === conversation.id ? 'same' : 'new';
    if (id !== null && row?.visitor_email !== from) across += 1;
    const reopened = row?.status === (id === null ? 'resolved' : 'open');
    const content = id === null ? '' : ((await threadOf(id)).at(-1)?.content ?? '');
    if (got !== fate || !reopened || !content.includes(text ?? ''))
      wrong.push(
        `${name}: ${got}, not ${fate}, ${row?.status}, from ${row?.visitor_email}: ${content.slice(0, 80)}`,
      );
  }
  console.info(`${mails.length - wrong.length} of ${mails.length} mails right, ${across} across senders`);
  expect(across).toBe(0);
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(Math.floor(mails.length * 0.02));
});
