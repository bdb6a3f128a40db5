import { randomInt } from 'node:crypto';

/** Returns a text id of the contract (section 2): `<prefix>_<milliseconds since 1970>_<random characters>`. */
export function newId(prefix: 'conv' | 'admin' | 'factor', suffixLength: 6 | 7): string {
  const suffix = randomInt(36 ** suffixLength)
    .toString(36)
    .padStart(suffixLength, '0');
  return `${prefix}_${Date.now()}_${suffix}`;
}
