import type { ImapFlow } from 'imapflow';

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
  const { protocol, hostname, port, username, password, pathname } = new URL(imapUrl);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const secure = protocol === 'imaps:';
  const user = decodeURIComponent(username);
  const folder = decodeURIComponent(pathname.slice(1)) || 'INBOX';
  const isLoopback = host === 'localhost' || host === '::1' || /^127\./.test(host);
  return {
    name: `${user} at ${hostname}, ${folder}`,
    folder,
    async connection() {
      const { ImapFlow } = await import('imapflow');
      const client = new ImapFlow({
        ...{ host, secure, logger: false, disableCompression: true },
        port: port === '' ? (secure ? 993 : 143) : Number(port),
        auth: { user, pass: decodeURIComponent(password) },
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

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The mail server of IMAP_URL refuses connections.',
  ENOTFOUND: 'The mail server of IMAP_URL was not found.',
  EAI_AGAIN: 'The mail server of IMAP_URL was not found.',
  NoConnection: 'The mail server of IMAP_URL closed the connection.',
  EConnectionClosed: 'The mail server of IMAP_URL closed the connection.',
  CONNECT_TIMEOUT: 'The mail server of IMAP_URL does not answer.',
  GREETING_TIMEOUT: 'The mail server of IMAP_URL does not answer.',
  UPGRADE_TIMEOUT: 'The mail server of IMAP_URL does not answer.',
  ETIMEOUT: 'The mail server of IMAP_URL does not answer.',
};

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
  return reasons[code] ?? `The mailbox cannot be read: ${message}`;
}
