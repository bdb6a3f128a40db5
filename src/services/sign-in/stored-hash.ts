/** The cost of bcrypt for new hashes, as a power of two: about 140 ms on one core. */
export const defaultCost = 10;

/** Higher costs than this take seconds. A stored hash that has one matches no password. */
export const maxCost = 13;

/** What the stored text of a password says. */
export interface StoredHash {
  /**
   * - `normalized`: bcrypt over a keyed digest of the password in the Unicode form NFKC. All new hashes have it.
   * - `keyed`: bcrypt over a keyed digest of the password as it was sent.
   * - `plain`: bcrypt over the password itself, from another system.
   */
  readonly scheme: 'normalized' | 'keyed' | 'plain';
  readonly cost: number;
  readonly salt: string;
}

const keyed =
  /^\$bcrypt-sha256\$v=(?<version>[23]),t=2b,r=(?<cost>\d{1,2})\$(?<salt>[./A-Za-z0-9]{22})\$[./A-Za-z0-9]{31}$/;
const plain = /^\$2[aby]\$(?<cost>\d\d)\$(?<salt>[./A-Za-z0-9]{22})[./A-Za-z0-9]{31}$/;

/** Reads a stored hash. Returns undefined if it is none. */
export function parseStoredHash(hash: string): StoredHash | undefined {
  const { version, cost: digits, salt } = (keyed.exec(hash) ?? plain.exec(hash))?.groups ?? {};
  const cost = Number(digits);
  if (salt === undefined || cost < 4 || cost > maxCost) return undefined;
  const scheme = version === '3' ? 'normalized' : version === '2' ? 'keyed' : 'plain';
  return { scheme, cost, salt };
}

/** Reports whether a new hash of the same password, with the given cost, would be of a newer scheme or a higher cost. */
export function isOutdated(hash: string, cost: number): boolean {
  const stored = parseStoredHash(hash);
  return stored !== undefined && (stored.scheme !== 'normalized' || stored.cost < cost);
}
