import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { BackofficeError } from '../../contract/errors.ts';
import { readBranding } from '../../contract/known-settings/branding.ts';
import { nameKey } from '../../contract/known-settings/settings.ts';
import { isMailAddress } from '../../contract/schemas/mail-address.ts';
import type { Database } from '../../db/connection/database.ts';
import { insertMailJob } from '../../db/job-queue/jobs.ts';
import type { Databases } from '../../db/replica/databases.ts';
import { insertFailedMail } from '../../db/tables/failed-mails.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import type { Log, Observer } from '../call/observer.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import {
  bodySchema,
  cleanSubject,
  type MailBody,
  type MailTemplate,
  toHtml,
  toPlainText,
} from './message.ts';
import { domainOf, MailError, type MailSender, type SendMail } from './smtp.ts';

/** Sends mails through the job queue. */
export type Mail = ReturnType<typeof createMail>;

interface MailOptions {
  /** Undefined without SMTP_URL. */
  readonly smtp: SendMail | undefined;
  readonly from: MailSender;
  /** The mailbox that takes the answers of visitors, if there is one. */
  readonly replyTo: string | undefined;
  /** Has no slash at its end. */
  readonly publicUrl: string;
  /** Whether that URL is the operator's. The default is that of this machine, and nothing to tell people. */
  readonly isPublicUrlSet: boolean;
  readonly secretBox: SecretBox;
}

/** Creates what queues mails. */
export function createMail(options: MailOptions) {
  const { smtp, from, replyTo, publicUrl, isPublicUrlSet, secretBox } = options;
  const at = isPublicUrlSet ? `, ${publicUrl}` : '';
  return {
    /** Sends the mails of the queue. Undefined without SMTP_URL: other instances may have it. */
    smtp,
    /** Calls that need mail say so if it is not. */
    isConfigured: smtp !== undefined,
    /** The domain of the sender. */
    domain: domainOf(from),
    replyTo,
    /** Returns the URL of a page of the service, for links in mails. */
    urlOf: (path: string) => publicUrl + path,
    /**
     * Queues a mail in the transaction of a change. Instances with SMTP_URL send it. Does nothing if no mail can be
     * sent to the address: admins may have any text as their e-mail.
     */
    async send(tx: Database, to: string, write: MailTemplate): Promise<void> {
      if (!isMailAddress(to)) return;
      const { name: site } = readBranding(await selectSettings(tx, [nameKey])).value;
      const { kind, subject, body: written, isConfidential, usefulMinutes } = write(site);
      const id = randomUUID();
      const body = bodySchema.parse([...written, `Sent by ${site}${at}`]);
      const content = isConfidential ? secretBox.seal(JSON.stringify(body), bodyPurpose(id)) : body;
      await insertMailJob(tx, { id, kind, to, site, subject: cleanSubject(subject), content, usefulMinutes });
    },
  };
}

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

/** What the body of a mail is encrypted for. */
const bodyPurpose = (id: string) => `mail:${id}`;

/** Returns the body of a queued mail. */
export function bodyOf({ id, content }: QueuedMail, secretBox: SecretBox): MailBody {
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
 * Sends a mail of the queue. Gives it up if it is too late, if the mail server refuses it for good, or after
 * the last attempt: that is logged, and recorded for `doctor`. Throws if it should be tried again.
 */
export async function sendQueuedMail(
  { databases, secretBox, observer, log }: MailJobServices,
  smtp: SendMail,
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
    await smtp({ id, to, site, subject, text: toPlainText(body), html: toHtml(body) }, signal);
    observer.onMail?.('succeeded');
  } catch (error) {
    const isRefused = error instanceof MailError && error.isPermanent;
    const isOwn = error instanceof MailError || error instanceof BackofficeError;
    if (isRefused || (isLast && isOwn)) return await giveUp(error.message, error.cause);
    observer.onMail?.('failed');
    throw error;
  }
}
