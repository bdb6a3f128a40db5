import { z } from 'zod';
import { isAtMost, tooLong } from './bounds.ts';
import { shownAs } from './fields.ts';
import { domainLabel, storedEmail } from './stored-email.ts';

/** RFC 5321: a path has at most 256 characters, two of them its brackets. */
const maxLength = 254;
const maxLocalLength = 64;

/** Everything but spaces, control and other invisible characters, and those that have a meaning in a header. */
const local = /^[^\s\p{C}\p{Z}<>()[\]\\,;:"@.]+(?:\.[^\s\p{C}\p{Z}<>()[\]\\,;:"@.]+)*$/u;

/** Reports whether mail can be sent to an address, with letters of all languages. Such an address is safe in a header. */
export function isMailAddress(text: string): boolean {
  if (text.length > maxLength) return false;
  const at = text.lastIndexOf('@');
  const name = text.slice(0, Math.max(0, at));
  const labels = text.slice(at + 1).split('.');
  return (
    name.length <= maxLocalLength && local.test(name) && labels.every((label) => domainLabel.test(label))
  );
}

/** How long the code in the address is that takes the answers of a conversation. */
export const replyCodeLength = 26;

/** Returns the address that takes the answers of a conversation: `support+code@example.com`. */
export function withReplyCode(mailbox: string, code: string): string {
  const at = mailbox.lastIndexOf('@');
  return `${mailbox.slice(0, at)}+${code}${mailbox.slice(at)}`;
}

const mailAddressTooLong = tooLong('email', maxLength);

export function mailAddress(missing: string) {
  return z
    .string({ error: missing })
    .overwrite(storedEmail)
    .min(1, { error: missing })
    .refine((text) => isAtMost(text, maxLength), { error: mailAddressTooLong, abort: true })
    .refine(isMailAddress, { error: 'email must be an e-mail address.' })
    .meta(
      shownAs({
        type: 'string',
        format: 'email',
        maxLength,
        description: 'Case and surrounding spaces are ignored. A domain may be in Unicode or Punycode.',
      }),
    );
}
