import { randomInt } from 'node:crypto';
import { deviceErrors } from '../../contract/operations/device.ts';
import type { Database } from '../../db/connection/database.ts';
import { typedCode } from '../../shared/text.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { attempt, countRequest, limitsOfNetworks, refusedError } from './attempt-limits.ts';

/** Consonants only, which spell no words (RFC 8628, section 6.1). Eight of them are 34 random bits. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const groupLength = 4;

/** Devices of one network in a quarter of an hour: twice and four times as many from those around it. */
const maxDevicesPerNetwork = 20;
/**
 * Wrong codes of an account in a quarter of an hour. In a year of guessing it hits one of 1,000 codes with a chance of
 * 1.4 %.
 */
const maxWrongCodes = 10;

/** Returns a new code for a person to enter, such as `WDJB-MJHT`. */
export function newUserCode(): string {
  const group = () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${group()}-${group()}`;
}

/** Returns what is stored of a code, however it was typed. Keyed, because a short code could be found by its plain hash. */
export function userCodeDigest(box: SecretBox, code: string): Buffer {
  return box.digest(typedCode(code).toUpperCase(), 'device-code');
}

/** Counts a device that asks to be let in. Refuses the call if too many of its network do. */
export async function countDevice(db: Database, address: string): Promise<void> {
  const limits = limitsOfNetworks(address, maxDevicesPerNetwork, (network) => `device-network:${network}`);
  const refusal = await countRequest(db, limits);
  if (refusal !== undefined) throw refusedError(deviceErrors.tooManyDevices, refusal);
}

/**
 * Finds something by a code that an admin has entered. Refuses the call if the admin has entered too many wrong ones. A
 * lookup that runs counts as wrong until it ends, so parallel ones guess no faster.
 */
export async function findByCode<T>(
  db: Database,
  adminId: string,
  find: () => Promise<T | null>,
): Promise<T | null> {
  const limits = [{ key: `device-code:${adminId}`, maxFailures: maxWrongCodes }];
  const found = await attempt(db, limits, find, (result) => (result === null ? { failed: limits } : {}));
  if (found.refusal !== undefined) throw refusedError(deviceErrors.tooManyCodes, found.refusal);
  return found.result;
}
