import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { serviceActor } from '../../../src/services/call/actor.ts';
import { changesOf } from '../../../src/services/call/changes.ts';
import { failLostReplies, recordBounce, sendQueuedReply } from '../../../src/services/mail/replies.ts';
import { createSmtpClient } from '../../../src/services/mail/smtp.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { mailHere, publicUrl } from '../../support/receivers.ts';

void readFileSync;
void createServer;
void listenOnLoopback;
void createSmtpClient;
void sendQueuedReply;

const own = mailHere({ BACKOFFICE_MAIL_REPLY_TO: 'support@example.com' });
type Call = typeof own.superadmin.client.call;
const call: Call = (id, input) => own.superadmin.client.call(id, input);

beforeAll(async () => {
  await call('settings.update', { key: 'visitor_mail', value: 'on' });
});

afterEach(() => {
  Object.assign(own.mailServer, { refuse: () => undefined, refuseSender: undefined });
});

let made = 0;

/** Makes a conversation with a question of its visitor. */
async function ask(
  fields: Partial<Record<'visitor_email' | 'visitor_name' | 'subject' | 'initial_message', string>> = {},
) {
  const email = `visitor-${++made}@example.com`;
  const { conversation } = await call('conversations.create', {
    visitor_email: email,
    visitor_name: 'Ada',
    subject: 'My invoice',
    initial_message: 'Where is my invoice?\n\nIt was due in March.',
    ...fields,
  });
  return { id: conversation.id, email };
}

const reply = async (conversation_id: string, content = 'It is in your inbox.') =>
  (await call('messages.create', { conversation_id, content })).id;

/** Returns the delivery of the latest message. */
async function delivery(conversation_id: string) {
  const { messages } = await call('messages.list', { conversation_id, include: 'delivery', limit: 1 });
  return messages[0]?.delivery;
}

test('debug', async () => {
  const { id, email } = await ask();
  await reply(id);
  const mail = await own.mailServer.take(email);
  console.log(mail.raw, mail.text, mail.html);
  await expect.poll(() => delivery(id)).toMatchObject({ state: 'sent', error: null });
  void describe;
  void publicUrl;
  void failLostReplies;
  void recordBounce;
  void changesOf;
  void serviceActor;
});
