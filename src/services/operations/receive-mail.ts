import { createHash } from 'node:crypto';
import { operationOf } from '../../contract/registry.ts';
import { storedEmail } from '../../contract/schemas/stored-email.ts';
import type { Database } from '../../db/connection/database.ts';
import { isRefused, isRolledBack } from '../../db/connection/errors.ts';
import {
  compressMail,
  insertReceivedMail,
  isSentMail,
  lockMail,
  selectAnswered,
} from '../../db/tables/conversations/received-mails.ts';
import { groupDigits } from '../../shared/text.ts';
import { type Actor, anonymousActor, serviceActor } from '../call/actor.ts';
import { type Change, changesOf, type RecordChange } from '../call/changes.ts';
import { addConversation } from '../changes/conversations.ts';
import type { Services } from '../context.ts';
import { type IncomingMail, type MailReader, mailHeadBytes, maxMailBytes } from '../incoming/mail-reader.ts';
import type { ReadMail } from '../incoming/mail-worker.ts';
import { recordBounce } from '../mail/replies.ts';
import { addComment } from './comments.ts';
import { sendMessage } from './messages.ts';

/** Whoever wrote a mail. What is recorded has no address, so that a visitor can be erased. */
export const visitorByMail: Actor = { ...anonymousActor('job'), name: 'visitor by mail' };

/** Returns the `change` for mails that no request has brought. */
export const changeByMail = ({ databases }: Pick<Services, 'databases'>): Change =>
  changesOf(databases.primary, visitorByMail, operationOf('mail.receive'));

type MailServices = Pick<Services, 'mailReader' | 'mail' | 'observer'>;

/** The recipient `local+<code>@domain` of an answer. */
const codePattern = /\+([a-z0-9]{26})@/;
const unknownSender = { name: 'Unknown sender', address: 'unknown@invalid' };

/**
 * Stores a mail with its conversation and message, in one transaction. Resolves with its conversation, or null if it opens
 * none: it is automatic, a bounce, or stored already. A mail that cannot be read becomes a conversation that says so.
 */
export async function receiveMail(
  services: MailServices,
  change: Change,
  { raw, size = raw.length }: IncomingMail,
): Promise<{ id: string } | null> {
  const { mailReader } = services;
  const isTooLarge = size > maxMailBytes;
  const whole = isTooLarge ? null : await mailReader.read(raw);
  const mail = whole ?? (await readHead(mailReader, raw, isTooLarge ? describeSize(size) : unreadable));
  const source = isTooLarge ? null : await compressMail(raw);
  const store = (stored: ReadMail) => storeMail(services, change, stored, source, size);
  try {
    return await store(mail);
  } catch (error) {
    // Something in it that the database does not take must not hold up the mails behind it.
    if (!isRefused(error) || isRolledBack(error)) throw error;
    return await store(blank(raw, unreadable));
  }
}

async function storeMail(
  services: MailServices,
  change: Change,
  mail: ReadMail,
  source: Buffer | null,
  bytes: number,
) {
  return await change(async (tx, record) => {
    const { bounce } = mail;
    if (bounce !== undefined) await recordBounce(services.observer, tx, record, bounce.mailId, bounce.reason);
    if (mail.isAutomatic) return null;
    if (await lockMail(tx, mail.digest)) return null;
    if (mail.mailId !== null && (await isSentMail(tx, mail.mailId))) return null;
    const { id, message_id } = await addToConversation(services, tx, record, mail);
    const { digest, mailId: mail_id, quotedFrom: quoted_from, addresses } = mail;
    const attachments = JSON.stringify(mail.attachments);
    await insertReceivedMail(tx, {
      message_id,
      digest,
      mail_id,
      addresses,
      attachments,
      source,
      bytes,
      quoted_from,
    });
    return { id };
  });
}

const unreadable =
  'This mail cannot be read: its form is broken, or made to overload a reader. Only the original is kept.';
const describeSize = (size: number) =>
  `This mail is too large to be kept: it has ${groupDigits(Math.ceil(size / 1024 ** 2))} MB, and 25 MB are allowed. ` +
  'Ask its sender for the text without the attachments.';

/** Reads only the header of a mail, for who has sent it and what about. */
async function readHead(reader: MailReader, raw: Buffer, text: string): Promise<ReadMail> {
  const [header = ''] = raw.toString('latin1', 0, mailHeadBytes).split(/(?<=\n)\r?\n/, 1);
  const unread = blank(raw, text);
  const read = await reader.read(Buffer.from(header, 'latin1'));
  return { ...unread, ...read, digest: unread.digest, text, attachments: [] };
}

/** Returns what is known of a mail that cannot be read. */
const blank = (raw: Uint8Array, text: string): ReadMail => ({
  digest: createHash('sha256').update(raw).digest('hex'),
  mailId: null,
  sender: { name: '', address: '' },
  subject: '',
  text,
  recipients: [],
  addresses: '',
  references: [],
  isAutomatic: false,
  bounce: undefined,
  attachments: [],
  quotedFrom: null,
});

/** Adds a mail to the conversation that it belongs to, or to a new one. */
async function addToConversation(services: MailServices, tx: Database, record: RecordChange, mail: ReadMail) {
  const sender = mail.sender.address === '' ? unknownSender : mail.sender;
  const codes = mail.recipients.flatMap((address) => codePattern.exec(address)?.[1] ?? []);
  const answered = await selectAnswered(tx, codes, mail.references);
  const email = storedEmail(sender.address);
  const isKnown = mail.sender.address !== '';
  const own = answered.find(({ visitor_email }) => isKnown && storedEmail(visitor_email) === email);
  const content = mail.text === '' ? '[This mail has no text.]' : mail.text;
  if (own !== undefined) {
    const message = { kind: 'own', conversation_id: own.id, sender_type: 'visitor', content } as const;
    return {
      id: own.id,
      message_id: await sendMessage({ ...services, actor: visitorByMail }, tx, record, message),
    };
  }
  const { id, message_id } = await addConversation(tx, record, {
    visitor_email: email,
    visitor_name: sender.name === '' ? email : sender.name,
    subject: mail.subject,
    initial_message: content,
    channel: 'mail',
  });
  const [first] = answered;
  if (first !== undefined) await noteOther(tx, record, id, first.id);
  return { id, message_id: message_id as number };
}

/** Tells the team, and nobody else, that somebody else answers a mail of another conversation. */
async function noteOther(tx: Database, record: RecordChange, conversation_id: string, other: string) {
  const content = `This mail answers conversation ${other}, but comes from another address. So it has a conversation of its own.`;
  await addComment(tx, record, serviceActor, { issue_id: null, conversation_id, content });
}
