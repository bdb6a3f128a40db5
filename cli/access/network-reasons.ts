export const unknownAuthority = 'its certificate is from an unknown authority';

/** Why a connection to another machine fails, for each error code of the system and of TLS. */
export const networkReasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closes the connection',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_SOCKET: 'it closes the connection',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not use HTTPS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not use HTTPS',
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/** Returns why a request failed; undefined for a reason that is not known. `fetch` has it as its cause. */
export function networkReasonOf(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code = '' } = each as NodeJS.ErrnoException;
    if (Object.hasOwn(networkReasons, code)) return networkReasons[code];
  }
  return undefined;
}
