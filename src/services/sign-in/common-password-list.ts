import { dictionary } from '@zxcvbn-ts/language-common';

/** The most common passwords of leaks, in lower case. The dictionary has the most common first. */
export const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common'].slice(0, 10_000));
