import type { ImapFlow } from 'imapflow';
import { readMailServerUrl } from '../../shared/urls.ts';

/** How long the server may take for each answer. */
export const imapTimeoutMs = 20_000;

/** The mailbox that IMAP_URL names. */
export interface Mailbox {
  /** Without its password. */
  readonly name: string;
  readonly folder: string;
  /** Creates a connection that is not open. Imported on demand: most processes read no mail. */
  connection(): Promise<ImapFlow>;
}

export function mailboxOf(imapUrl: string): Mailbox {
  const { hostname, pathname } = new URL(imapUrl);
  const { host, port, secure, user, pass, isLoopback } = readMailServerUrl(imapUrl);
  const folder = decodeURIComponent(pathname.slice(1)) || 'INBOX';
  return {
    name: `${user} at ${hostname}, ${folder}`,
    folder,
    async connection() {
      const { ImapFlow } = await import('imapflow');
      const client = new ImapFlow({
        host,
        secure,
        logger: false,
        disableCompression: true,
        port: port || (secure ? 993 : 143),
        auth: { user, pass },
        // An attacker on the network could remove the offer of TLS and read the password.
        ...(secure ? {} : { doSTARTTLS: !isLoopback }),
        connectionTimeout: imapTimeoutMs,
        greetingTimeout: imapTimeoutMs,
        socketTimeout: 3 * imapTimeoutMs,
        autoIdleDelay: 20,
      });
      // What waits for an answer fails too, and says why.
      client.on('error', () => {});
      return client;
    },
  };
}

const reasons: readonly (readonly [codes: RegExp, reason: string])[] = [
  [/^ECONNREFUSED$/, 'refuses connections'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'was not found'],
  [/^(NoConnection|EConnectionClosed)$/, 'closed the connection'],
  [/TIMEOUT$/, 'does not answer'],
];

/** Returns a sentence for people, without a secret. */
export function describeImapError(error: unknown): string {
  const {
    code = '',
    authenticationFailed,
    responseText,
    message,
  } = error as Error &
    Readonly<Partial<Record<'code' | 'responseText', string>>> & { readonly authenticationFailed?: boolean };
  if (authenticationFailed) return 'The mail server refused the user name or password of IMAP_URL.';
  if (responseText) return `The mail server of IMAP_URL answered: ${responseText.slice(0, 200)}`;
  const reason = reasons.find(([codes]) => codes.test(code))?.[1];
  return reason ? `The mail server of IMAP_URL ${reason}.` : `The mailbox cannot be read: ${message}`;
}
