import { randomInt } from 'node:crypto';

/** Returns `<prefix>_<milliseconds since 1970>_<random base-36 characters>`: text ids as the contract's (section 2). */
export function newId(prefix: 'conv' | 'admin' | 'factor', suffixLength: 6 | 7): string {
  const suffix = randomInt(36 ** suffixLength)
    .toString(36)
    .padStart(suffixLength, '0');
  return `${prefix}_${Date.now()}_${suffix}`;
}
