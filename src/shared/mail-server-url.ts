/** Returns what the URL of a mail server names. Without a port, it is 0. */
export function readMailServerUrl(text: string) {
  const { protocol, hostname, port, username, password } = new URL(text);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: Number(port),
    /** Whether the connection begins with TLS. */
    secure: protocol === 'smtps:' || protocol === 'imaps:',
    user: decodeURIComponent(username),
    pass: decodeURIComponent(password),
    isLoopback: host === 'localhost' || host === '::1' || /^127\./.test(host),
  };
}
