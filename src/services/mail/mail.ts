import { randomUUID } from 'node:crypto';
import { nameKey, readBranding } from '../../contract/known-settings/branding.ts';
import { isMailAddress } from '../../contract/schemas/mail-address.ts';
import type { Database } from '../../db/connection/database.ts';
import { insertMailJob } from '../../db/job-queue/jobs.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { MailTemplate } from './message.ts';
import { cleanBody, cleanSubject } from './message.ts';
import { bodyPurpose } from './queued-mail.ts';
import type { SmtpClient } from './smtp.ts';

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

export interface MailOptions {
  readonly smtp: SmtpClient | undefined;
  /** The service's own URL, without a slash at the end. */
  readonly publicUrl: string;
  readonly secretBox: SecretBox;
}

export function createMail({ smtp, publicUrl, secretBox }: MailOptions): Mail {
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
