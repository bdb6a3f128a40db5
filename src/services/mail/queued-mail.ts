import { z } from 'zod';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { MailBlock } from './message.ts';

const bodySchema = z.array(
  z.union([
    z.string(),
    z.object({ link: z.string(), label: z.string() }),
    z.object({ code: z.string() }),
    z.object({ facts: z.array(z.tuple([z.string(), z.string()])) }),
  ]),
);

/** A mail in the queue, the payload of its job. */
export const queuedMailSchema = z.object({
  id: z.string(),
  kind: z.string(),
  to: z.string(),
  /** The name of the service. Mails that an older version has queued lack it. */
  site: z.string().optional(),
  subject: z.string(),
  /** The body, or its JSON text encrypted. */
  content: z.union([z.string(), bodySchema]),
  /** When the mail is no longer of use. */
  expires_at: z.iso.datetime({ offset: true }),
});

export type QueuedMail = z.infer<typeof queuedMailSchema>;

/** Returns the purpose that the body of a mail is encrypted for. */
export function bodyPurpose(id: string): string {
  return `mail:${id}`;
}

/** Returns the body of a queued mail. */
export function bodyOf({ id, content }: QueuedMail, secretBox: SecretBox): readonly MailBlock[] {
  return typeof content === 'string'
    ? bodySchema.parse(JSON.parse(secretBox.open(content, bodyPurpose(id))))
    : content;
}
