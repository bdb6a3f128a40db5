import { randomBytes } from 'node:crypto';
import { readBranding } from '../../contract/known-settings/branding.ts';
import { contactPageKey, readContactPage } from '../../contract/known-settings/contact.ts';
import { nameKey } from '../../contract/known-settings/settings.ts';
import {
  isVisitorMailOn,
  type VisitorMailMode,
  visitorMailKey,
} from '../../contract/known-settings/visitor-mail.ts';
import { messageErrors } from '../../contract/operations/messages.ts';
import { isMailAddress, replyCodeLength, withReplyCode } from '../../contract/schemas/mail-address.ts';
import type { Database } from '../../db/connection/database.ts';
import { insertReplyJob } from '../../db/job-queue/jobs.ts';
import type { Databases } from '../../db/replica/databases.ts';
import {
  type DeliveredMessage,
  failLostDeliveries,
  lockDelivery,
  markBounced,
  noteAttempt,
  putDelivery,
  selectQueuedReply,
  selectReplyAddress,
} from '../../db/tables/conversations/message-deliveries.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import { cutText } from '../../shared/text.ts';
import { serviceActor } from '../call/actor.ts';
import { changesOf, type RecordChange } from '../call/changes.ts';
import type { Observer } from '../call/observer.ts';
import { refuse } from '../call/refuse.ts';
import type { Site } from '../factors/passkeys.ts';
import type { Mail } from './mail.ts';
import { oneLine } from './message.ts';
import { writeReply } from './reply-mail.ts';
import { MailError, type SendMail } from './smtp.ts';

/** Not an operation of the registry, because no request runs it. */
const messageDelivery = { id: 'messages.deliver', changes: ['message.delivered'] } as const;

const wrongAddress =
  'The e-mail address of the visitor is not valid. Start a conversation with the right one, and reply there.';
const lost = 'The mail left the queue before it was sent. Check SMTP_URL, then send it again.';

/** Returns whether replies are sent to visitors by mail, or why not. */
export async function readVisitorMailMode(
  { isConfigured }: Pick<Mail, 'isConfigured'>,
  db: Database,
): Promise<VisitorMailMode> {
  if (!isConfigured) return 'no_server';
  return isVisitorMailOn(await selectSettings(db, [visitorMailKey])) ? 'on' : 'off';
}

type Reply = Pick<DeliveredMessage, 'message_id' | 'conversation_id'>;

/** Queues the mail of a reply in its transaction, if replies are sent by mail. A wrong address fails at once. */
export async function queueReply(mail: Mail, tx: Database, reply: Reply): Promise<void> {
  if ((await readVisitorMailMode(mail, tx)) === 'on') await putInQueue(mail, tx, reply);
}

async function putInQueue({ domain }: Mail, tx: Database, reply: Reply): Promise<DeliveredMessage> {
  const { message_id, conversation_id } = reply;
  const { visitor_email, reply_code } = await selectReplyAddress(tx, conversation_id, newReplyCode());
  const isValid = isMailAddress(visitor_email.trim());
  const delivery = { conversation_id, message_id, state: isValid ? 'queued' : 'failed' } as const;
  await putDelivery(tx, delivery, `${message_id}.${reply_code}@${domain}`, isValid ? null : wrongAddress);
  if (isValid) await insertReplyJob(tx, message_id);
  return delivery;
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Returns a code that nobody guesses: 130 random bits. Who has it may add to the conversation. */
function newReplyCode(): string {
  return Array.from(randomBytes(replyCodeLength), (byte) => base32[byte % base32.length]).join('');
}

/** Sends the failed mail of a reply again. Does nothing if there is no such message. */
export async function retryReply(
  mail: Mail,
  tx: Database,
  record: RecordChange,
  messageId: number | null,
): Promise<void> {
  const delivery = await lockDelivery(tx, messageId);
  if (delivery === null) return;
  if (delivery.state !== 'failed') refuse(messageErrors.notFailed);
  const mode = await readVisitorMailMode(mail, tx);
  if (mode === 'off') refuse(messageErrors.mailIsOff);
  if (mode === 'no_server') refuse(messageErrors.noMailServer);
  record(deliveryChanged(await putInQueue(mail, tx, delivery)));
}

const deliveryChanged = (after: DeliveredMessage) =>
  ({ event: 'message.delivered', id: after.message_id, after }) as const;

/**
 * Records that a mail has come back, in the transaction of an operation that declares `message.delivered`. Resolves with
 * its message, or with null if the mail is not ours or is known to have come back.
 */
export async function recordBounce(
  observer: Observer,
  tx: Database,
  record: RecordChange,
  mailId: string,
  reason: string,
): Promise<DeliveredMessage | null> {
  const bounced = await markBounced(tx, mailId, reason);
  if (bounced === null) return null;
  record(deliveryChanged(bounced));
  observer.onReply?.('bounced');
  return bounced;
}

interface JobServices {
  readonly databases: Databases;
  readonly mail: Mail;
  readonly site: Site;
  readonly observer: Observer;
}

const changeOf = ({ databases }: Pick<JobServices, 'databases'>) =>
  changesOf(databases.primary, serviceActor, messageDelivery);

/** Sends a reply of the queue, unless it is deleted or sent meanwhile. Throws if it should be tried again. */
export async function sendQueuedReply(
  services: JobServices,
  smtp: SendMail,
  messageId: number,
  { isLast, signal }: { readonly isLast: boolean; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const reply = await selectQueuedReply(services.databases.primary, messageId);
  if (reply === null) return;
  const note = async (state: 'sent' | 'failed' | 'queued', error?: string) => {
    services.observer.onReply?.(state === 'queued' ? 'deferred' : state);
    await changeOf(services)(async (tx, record) => {
      const delivery = await noteAttempt(tx, messageId, state, error);
      if (delivery !== null) record(deliveryChanged(delivery));
    });
  };
  const to = reply.visitor_email.trim();
  if (!isMailAddress(to)) return await note('failed', wrongAddress);
  const { site, howToAnswer } = await readAnswering(services);
  const { replyTo } = services.mail;
  try {
    const thread = {
      messageId: reply.mail_id,
      references: reply.earlier.filter(isMessageId).toReversed(),
      toName: cutText(oneLine(reply.visitor_name), maxNameLength),
      replyTo: replyTo === undefined ? undefined : withReplyCode(replyTo, reply.reply_code),
    };
    const mail = { id: reply.mail_id, to, site, thread };
    await smtp({ ...mail, ...writeReply(reply, site, howToAnswer) }, signal);
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    if (isLast || error.isPermanent) return await note('failed', error.detail);
    await note('queued', error.detail);
    throw error;
  }
  await note('sent');
}

/** Longer names are no names. */
const maxNameLength = 100;

/** Those of others may hold anything, and go into a header. */
const isMessageId = (id: string) => id.length <= 500 && /^[^\s\p{C}<>]+$/u.test(id);

/** Returns the name of the service, and how a visitor can answer its mails. */
async function readAnswering({ databases, mail, site: { publicUrl } }: JobServices) {
  const settings = await selectSettings(databases.primary, [nameKey, contactPageKey]);
  const { name: site } = readBranding(settings).value;
  if (mail.replyTo !== undefined) return { site, howToAnswer: 'To answer, reply to this mail.' };
  const { isOn } = readContactPage(settings);
  const elsewhere = isOn && publicUrl !== undefined ? ` To write to us again: ${publicUrl}/contact` : '';
  return { site, howToAnswer: `Nobody reads answers to this mail.${elsewhere}` };
}

const lostAtOnce = 500;

/**
 * Marks replies as failed that wait without a job: no instance had a mail server within two days, the last attempt was
 * interrupted, or a backup was restored, which has no jobs.
 */
export async function failLostReplies(services: Omit<JobServices, 'mail' | 'site'>): Promise<void> {
  for (;;) {
    const failed = await changeOf(services)(async (tx, record) => {
      const deliveries = await failLostDeliveries(tx, lost, lostAtOnce);
      record(...deliveries.map(deliveryChanged));
      return deliveries.length;
    });
    for (let count = 0; count < failed; count += 1) services.observer.onReply?.('failed');
    if (failed < lostAtOnce) return;
  }
}
