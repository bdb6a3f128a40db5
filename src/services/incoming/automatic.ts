import type { Attachment, Email } from 'postal-mime';
import { oneLine } from '../mail/message.ts';

const maxReasonLength = 500;

/** The headers of mails that nobody wrote by hand to the mailbox (RFC 3834), and their values. */
const automaticHeaders: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/^auto-submitted$/, /^(?!no\b)/i],
  [/^precedence$/, /^(bulk|list|junk|auto_reply)\b/i],
  [/^list-/, /^/],
  [/^return-path$/, /^<\s*>$/],
  [/^x-auto-?(reply|respond)/, /^/],
  [/^content-type$/, /^multipart\/report\b/i],
];

/** Reports whether a mail is automatic: it opens no conversation, and nothing answers it. */
export function isAutomatic({ headers, from }: Email): boolean {
  const isSuch = ({ key, value }: Email['headers'][number]) =>
    automaticHeaders.some(([name, values]) => name.test(key) && values.test(value.trim()));
  return headers.some(isSuch) || /^mailer-daemon@/i.test(from?.address ?? '');
}

/** Returns which mail could not be delivered and why, if the mail says so as RFC 3464 has it. */
export function bounceOf(
  { headers, attachments }: Email,
  contentOf: (attachment: Attachment) => Uint8Array,
): { readonly mailId: string; readonly reason: string } | undefined {
  if (!headers.some(({ key, value }) => key === 'content-type' && /^multipart\/report\b/i.test(value)))
    return undefined;
  const textOf = (pattern: RegExp) => {
    const found = attachments.find(({ mimeType }) => pattern.test(mimeType));
    const content = found === undefined ? [] : contentOf(found).subarray(0, 64_000);
    return Buffer.from(content)
      .toString()
      .replaceAll(/\r?\n[ \t]+/g, ' ');
  };
  const status = textOf(/^message\/(global-)?delivery-status$/);
  const original = textOf(/^(message\/(rfc822|global)|(text\/rfc822|message\/global)-headers)$/);
  const field = (name: string, text = status) => new RegExp(`^${name}:[ \\t]*(.+)$`, 'im').exec(text)?.[1];
  const [mailId] = field('message-id', original)?.match(/[^\s<>]+@[^\s<>]+/) ?? [];
  if (mailId === undefined || !/^action:\s*failed\b/im.test(status)) return undefined;
  const reason = field('diagnostic-code')?.replace(/^[\w-]+;\s*/, '') ?? field('status');
  return { mailId, reason: oneLine(reason ?? 'The mail server gave no reason.').slice(0, maxReasonLength) };
}
