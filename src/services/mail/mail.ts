import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { BackofficeError } from '../../contract/errors.ts';
import { nameKey, readBranding } from '../../contract/known-settings/branding.ts';
import { isMailAddress } from '../../contract/schemas/mail-address.ts';
import type { Database } from '../../db/connection/database.ts';
import { insertMailJob } from '../../db/job-queue/jobs.ts';
import type { Databases } from '../../db/replica/databases.ts';
import { insertFailedMail } from '../../db/tables/failed-mails.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import type { Log, Observer } from '../call/observer.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import {
  cleanBody,
  cleanSubject,
  type MailBlock,
  type MailTemplate,
  toHtml,
  toPlainText,
} from './message.ts';
import { MailError, type SmtpClient } from './smtp.ts';

/** Sends mails through the job queue. */
export interface Mail {
  /** Sends the mails of the queue. Undefined without SMTP_URL: other instances may have it. */
  readonly smtp: SmtpClient | undefined;
  /** Whether SMTP_URL is set here. Calls that need mail say so if it is not. */
  readonly isConfigured: boolean;
  /** Returns the URL of a page of the service, for links in mails. The path starts with a slash. */
  urlOf(path: string): string;
  /**
   * Queues a mail in the transaction of a change, so that it is sent if and only if the change commits. Instances with
   * SMTP_URL send it. Does nothing if no mail can be sent to the address: admins may have any text as their e-mail.
   *
   * @throws BackofficeError `not_configured` if the mail is confidential and there is no key to encrypt it with
   */
  send(tx: Database, to: string, write: MailTemplate): Promise<void>;
}

/** @param publicUrl - the service's own URL, without a slash at the end */
export function createMail(smtp: SmtpClient | undefined, publicUrl: string, secretBox: SecretBox): Mail {
  return {
    smtp,
    isConfigured: smtp !== undefined,
    urlOf: (path) => publicUrl + path,
    async send(tx, to, write) {
      if (!isMailAddress(to)) return;
      const { name: site } = readBranding(await selectSettings(tx, [nameKey])).value;
      const { kind, subject, body: written, isConfidential, usefulMinutes } = write(site);
      const id = randomUUID();
      const body = cleanBody([...written, `Sent by ${site}, ${publicUrl}`]);
      const content = isConfidential ? secretBox.seal(JSON.stringify(body), bodyPurpose(id)) : body;
      await insertMailJob(tx, { id, kind, to, site, subject: cleanSubject(subject), content, usefulMinutes });
    },
  };
}

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

type QueuedMail = z.infer<typeof queuedMailSchema>;

/** Returns the purpose that the body of a mail is encrypted for. */
function bodyPurpose(id: string): string {
  return `mail:${id}`;
}

/** Returns the body of a queued mail. */
export function bodyOf({ id, content }: QueuedMail, secretBox: SecretBox): readonly MailBlock[] {
  return typeof content === 'string'
    ? bodySchema.parse(JSON.parse(secretBox.open(content, bodyPurpose(id))))
    : content;
}

interface MailJobServices {
  readonly databases: Databases;
  readonly secretBox: SecretBox;
  readonly observer: Observer;
  readonly log: Log;
}

/**
 * Sends a mail of the queue. Gives it up if it is no longer of use, if the mail server refuses it for good, or after the
 * last attempt: that is logged, and recorded for `doctor`.
 *
 * @throws MailError or BackofficeError if the mail should be tried again
 */
export async function sendQueuedMail(
  { databases, secretBox, observer, log }: MailJobServices,
  smtp: SmtpClient,
  mail: QueuedMail,
  { isLast, signal }: { readonly isLast: boolean; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const { id, kind, to } = mail;
  const giveUp = async (error: string, cause?: unknown) => {
    observer.onMail?.('given_up');
    log.error({ mail: id, kind, reason: error, err: cause }, 'mail given up');
    await insertFailedMail(databases.primary, { id, kind, recipient: to, error });
  };
  if (Date.parse(mail.expires_at) <= Date.now()) return await giveUp('It could not be sent in time.');
  try {
    const body = bodyOf(mail, secretBox);
    const { subject, site } = mail;
    await smtp.send({ id, to, site, subject, text: toPlainText(body), html: toHtml(body) }, signal);
    observer.onMail?.('succeeded');
  } catch (error) {
    if (error instanceof MailError && error.isPermanent) return await giveUp(error.message, error.cause);
    const isOwn = error instanceof MailError || error instanceof BackofficeError;
    if (!isLast || !isOwn) {
      observer.onMail?.('failed');
      throw error;
    }
    await giveUp(error.message, error.cause);
  }
}
