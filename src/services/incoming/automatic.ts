import type { Attachment, Email } from 'postal-mime';
import { oneLine } from '../mail/message.ts';

const maxReasonLength = 500;

/**
 * Returns why nobody wrote a mail by hand to the mailbox, or undefined. Such a mail opens no conversation, and nothing
 * answers it (RFC 3834).
 */
export function automaticReason({ headers, from }: Email): string | undefined {
  const values = (key: string) =>
    headers.filter((header) => header.key === key).map(({ value }) => value.trim());
  if (values('auto-submitted').some((value) => !/^no\b/i.test(value))) return 'Auto-Submitted';
  if (values('precedence').some((value) => /^(bulk|list|junk|auto_reply)\b/i.test(value)))
    return 'Precedence';
  if (headers.some(({ key }) => key.startsWith('list-'))) return 'List';
  if (values('return-path').some((value) => /^<\s*>$/.test(value))) return 'empty Return-Path';
  if (headers.some(({ key }) => /^x-auto-?(reply|respond)/.test(key))) return 'X-Autoreply';
  if (values('content-type').some((value) => /^multipart\/report\b/i.test(value))) return 'report';
  if (/^mailer-daemon@/i.test(from?.address ?? '')) return 'mailer-daemon';
  return undefined;
}

/** Returns which mails could not be delivered and why, if the mail says so as RFC 3464 has it. */
export function bounceOf(
  { headers, attachments }: Email,
  contentOf: (attachment: Attachment) => Uint8Array,
): { readonly mailIds: readonly string[]; readonly reason: string } | undefined {
  const isReport = headers.some(
    ({ key, value }) => key === 'content-type' && /^multipart\/report\b/i.test(value),
  );
  const textOf = (pattern: RegExp) => {
    const found = isReport ? attachments.find(({ mimeType }) => pattern.test(mimeType)) : undefined;
    return (
      found &&
      Buffer.from(contentOf(found).subarray(0, 64_000))
        .toString()
        .replaceAll(/\r?\n[ \t]+/g, ' ')
    );
  };
  const status = textOf(/^message\/(global-)?delivery-status$/);
  const original = textOf(/^(message\/(rfc822|global)|(text\/rfc822|message\/global)-headers)$/);
  if (status === undefined || !/^action:\s*failed\b/im.test(status)) return undefined;
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.+)$`, 'im').exec(status)?.[1];
  const reason = field('diagnostic-code')?.replace(/^[\w-]+;\s*/, '') ?? field('status');
  const ids = /^message-id:(.+)$/im.exec(original ?? '')?.[1] ?? '';
  return {
    mailIds: ids.match(/[^\s<>]+@[^\s<>]+/g)?.slice(0, 1) ?? [],
    reason: oneLine(reason ?? 'The mail server gave no reason.').slice(0, maxReasonLength),
  };
}
