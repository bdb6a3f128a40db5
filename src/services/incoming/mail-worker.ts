import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import EmailReplyParser from 'email-reply-parser';
import { convert } from 'html-to-text';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import type { z } from 'zod';
import type { attachment } from '../../contract/operations/messages.ts';
import { maxTextLength } from '../../contract/schemas/bounds.ts';
import { cutText } from '../../shared/text.ts';
import { oneLine } from '../mail/message.ts';
import { bounceOf, isAutomatic } from './automatic.ts';

/** Reads a mail, or returns one attachment of it. */
export interface MailTask {
  readonly raw: Uint8Array;
  readonly part?: number;
}

/** An attachment in the list of its message. */
type AttachmentInfo = z.infer<typeof attachment>;

export type AttachmentFile = Omit<AttachmentInfo, 'part' | 'bytes'> & { readonly content: Uint8Array };

/** What a mail says, safe to store: without control characters, and no longer than the columns of its texts. */
export interface ReadMail {
  /** The same for each copy of a mail, however it has arrived. */
  readonly digest: string;
  /** The Message-ID, without its angle brackets. */
  readonly mailId: string | null;
  readonly sender: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  /** Where in the text the quoted mails begin; null if it quotes none. */
  readonly quotedFrom: number | null;
  /** The addresses that it was sent and delivered to, in lower case. */
  readonly recipients: readonly string[];
  /** Each word with an address in it, of the header, the texts and the files. The original is searched by them. */
  readonly addresses: string;
  /** The mails that it answers, the one itself first. */
  readonly references: readonly string[];
  /** Whether nobody wrote it by hand. */
  readonly isAutomatic: boolean;
  /** The mail that could not be delivered, and why. */
  readonly bounce: { readonly mailId: string; readonly reason: string } | undefined;
  readonly attachments: readonly AttachmentInfo[];
}

const maxAttachments = 100;
const maxNameLength = 200;
const maxReferences = 50;
const maxMailIdLength = 500;
const maxHtmlLength = 1_000_000;
const maxReplyLength = 20_000;

/** Where the address of a mailbox with a code may be. A forwarding server keeps the first recipient in its own header. */
const recipientHeaders = ['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-forwarded-to'];
/** A mail may be attached to one that is attached to one. */
const maxDepth = 3;

/** Runs a task on a worker thread: a mail may be large, and its author hostile. Nothing of it is fetched or run. */
export async function runMailTask({ raw, part }: MailTask): Promise<ReadMail | AttachmentFile | null> {
  if (part === undefined) return await readMail(raw);
  const { attachments } = await parse(raw);
  const attachment = attachments[part - 1];
  if (attachment === undefined) return null;
  const { name, media_type } = infoOf(attachment, part - 1);
  return { name, media_type, content: contentOf(attachment) };
}

/** A pipe may put the line of an mbox file before the header. */
const parse = (raw: Uint8Array): Promise<Email> => PostalMime.parse(withoutMboxLine(raw));

function withoutMboxLine(raw: Uint8Array): Uint8Array {
  const isMbox = Buffer.from(raw.subarray(0, 5)).toString('latin1') === 'From ';
  return isMbox ? raw.subarray(raw.indexOf(0x0a) + 1) : raw;
}

async function readMail(raw: Uint8Array): Promise<ReadMail> {
  const email = await parse(raw);
  const values = (...keys: readonly string[]) =>
    email.headers.filter(({ key }) => keys.includes(key)).map(({ value }) => value);
  const mailId = idsIn(values('message-id'))[0] ?? null;
  const text = textOf(email);
  return {
    digest: digestOf(raw, email, mailId),
    mailId,
    sender: senderOf(email.from),
    subject: cutText(oneLine(email.subject ?? ''), maxNameLength),
    text,
    quotedFrom: quotedFrom(text),
    recipients: [...addressesIn(values(...recipientHeaders))].map((address) => address.toLowerCase()),
    addresses: plain([...(await addressesOf(email))].join(' ')),
    references: [...idsIn(values('in-reply-to')), ...idsIn(values('references')).toReversed()].slice(
      0,
      maxReferences,
    ),
    isAutomatic: isAutomatic(email),
    bounce: bounceOf(email, contentOf),
    attachments: email.attachments.slice(0, maxAttachments).map(infoOf),
  };
}

/** Yields the words of texts that have an address, as it is or as in a URL. */
function* addressesIn(texts: readonly string[]): Generator<string> {
  for (const text of texts) {
    for (const [word] of text.matchAll(/[^\s<>,;:"()]+/g)) if (/@|%40/.test(word)) yield word;
  }
}

/** Returns the words with an address of all that a mail has as text, also in its files and the mails among them. */
async function addressesOf(email: Email, found = new Set<string>(), depth = 1): Promise<Set<string>> {
  const { headers, text = '', html = '', attachments } = email;
  const add = (...texts: readonly string[]) => {
    for (const word of addressesIn(texts)) found.add(word);
  };
  for (const { value } of headers) add(value);
  add(text, html, textOfHtml(html));
  for (const attachment of attachments) {
    const content = contentOf(attachment);
    if (attachment.mimeType === 'message/rfc822' && depth < maxDepth)
      await addressesOf(await parse(content), found, depth + 1);
    else if (isUtf8(content) || attachment.mimeType.startsWith('text/')) add(Buffer.from(content).toString());
  }
  return found;
}

/** Returns the ids in headers, without their angle brackets. */
const idsIn = (values: readonly string[]): string[] =>
  values
    .flatMap((value) => value.match(/[^\s<>,]+@[^\s<>,]+/g) ?? [])
    .map((id) => plain(id))
    .filter((id) => id.length <= maxMailIdLength);

function senderOf(from: Address | undefined): ReadMail['sender'] {
  const { name, address } = (from?.group === undefined ? from : from.group[0]) ?? {};
  const isAddress = /^[^\s@]+@[^\s@]+$/.test(address ?? '');
  return {
    name: cutText(oneLine(name ?? ''), maxNameLength),
    address: isAddress ? plain(cutText(address ?? '', maxNameLength)) : '',
  };
}

/**
 * Returns what a mail counts once by. Servers add lines to its header on each way, so these are left out. A mail without a
 * Message-ID counts by all of its bytes: two of them may well say the same.
 */
function digestOf(raw: Uint8Array, { headers }: Email, mailId: string | null): string {
  const hash = createHash('sha256');
  if (mailId === null) return hash.update(raw).digest('hex');
  const counted = ['from', 'date', 'message-id', 'subject', 'in-reply-to'];
  const kept = headers
    .filter(({ key }) => counted.includes(key))
    .map(({ key, value }) => [key, value.trim()]);
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
    .toString('latin1')
    .replaceAll('\r', '');
  const body = text.slice(text.indexOf('\n\n') + 2).trimEnd();
  return hash.update(JSON.stringify(kept)).update(body, 'latin1').digest('hex');
}

function textOf({ text = '', html = '' }: Email): string {
  const shown = text.trim() === '' ? textOfHtml(html) : text;
  const lines = shown.replaceAll(/\r\n?/g, '\n').replaceAll(/[ \t]+$/gm, '');
  const tidy = plain(lines.replaceAll(/\n{4,}/g, '\n\n\n')).trim();
  const rest = '\n\n[The rest is in the original.]';
  return tidy.length <= maxTextLength ? tidy : cutText(tidy, maxTextLength - rest.length) + rest;
}

function quotedFrom(text: string): number | null {
  const own = new EmailReplyParser().parseReply(text.slice(0, maxReplyLength)).trimEnd();
  // Who answers between the lines of the other has no text of their own at the beginning.
  const isReply = own !== '' && own.length < Math.min(text.length, maxReplyLength) && text.startsWith(own);
  return isReply ? own.length : null;
}

function textOfHtml(html: string): string {
  return convert(html.slice(0, maxHtmlLength), {
    wordwrap: false,
    limits: { maxDepth: 100, ellipsis: '…' },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
      ...['h1', 'h2', 'h3', 'h4'].map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: 'blockquote', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ],
  });
}

/** Removes what neither Postgres nor a terminal should see. */
const plain = (text: string) =>
  text.toWellFormed().replaceAll(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '');

function infoOf(attachment: Attachment, index: number): AttachmentInfo {
  const content = contentOf(attachment);
  const name = cutText(oneLine(attachment.filename ?? '').replaceAll(/[/\\]/g, '_'), maxNameLength);
  return {
    part: index + 1,
    name: name === '' ? `attachment-${index + 1}` : name,
    media_type: mediaTypeOf(content),
    bytes: content.length,
  };
}

function contentOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
}

/** The first bytes of files by their media type; `.` is any byte. */
const signatures: readonly (readonly [mediaType: string, start: string])[] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '47494638'],
  ['image/webp', '52494646........57454250'],
  ['application/pdf', '255044462d'],
  ['application/zip', '504b0304'],
];

/**
 * Returns the type of a file by its first bytes. Anything else, also a page or a script, is bytes: no browser shows it in the
 * origin of the service.
 */
function mediaTypeOf(content: Uint8Array): string {
  const start = Buffer.from(content.subarray(0, 16)).toString('hex');
  const found = signatures.find(([, signature]) => new RegExp(`^${signature}`).test(start));
  return found?.[0] ?? 'application/octet-stream';
}
