import { unauthorized } from '../../contract/errors.ts';
import { deviceErrors } from '../../contract/operations/device.ts';
import { maxOwnTokens, tokenErrors } from '../../contract/operations/tokens.ts';
import type { Database } from '../../db/connection/database.ts';
import { selectEmail } from '../../db/tables/accounts/admins.ts';
import { countValidTokens, keepOwner, selectTakenNames } from '../../db/tables/accounts/api-tokens.ts';
import {
  approveDeviceRow,
  denyDeviceRow,
  deviceSeconds,
  insertDevice,
  type NewDevice,
  pollDevice,
  pollSeconds,
  selectWaitingDevice,
  takeApprovedDevice,
} from '../../db/tables/accounts/device-sign-ins.ts';
import { asAdmin } from '../call/actor.ts';
import { refuse } from '../call/refuse.ts';
import type { Context } from '../context.ts';
import { sendTokenNotice } from '../mail/templates.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { countDevice, findByCode, newUserCode, userCodeDigest } from '../sign-in/device-codes.ts';
import { keepOwnSession } from '../sign-in/sessions.ts';
import { addApiToken, hashToken, newToken } from '../sign-in/tokens.ts';
import type { HandlersOf } from './handler-types.ts';

/** How many tokens of a person may be from devices of one name. */
const maxSameName = maxOwnTokens + 1;

export const deviceHandlers = {
  'device.create': async ({ db, secretBox, address, site, baseUrl }, { name }) => {
    await countDevice(db, address);
    const { token: deviceCode, tokenHash: deviceHash } = newToken();
    return {
      device_code: deviceCode,
      user_code: await insertWithNewCode(db, secretBox, { deviceHash, name, address }),
      verification_uri: `${site.publicUrl ?? baseUrl}/device`,
      expires_in: deviceSeconds,
      interval: pollSeconds,
    };
  },

  'device.show': async (context, { user_code }) => {
    const { id: _id, ...device } = await findWaiting(context, user_code);
    return { device };
  },

  'device.approve': async (context, { user_code, role, expires_days: days, read_only: isReadOnly }) => {
    const adminId = personOf(context);
    const { id } = await findWaiting(context, user_code);
    await context.change(async (tx) => {
      if (!(await keepOwner(tx, adminId))) refuse(unauthorized);
      await keepOwnSession(tx, context.actor);
      if ((await countValidTokens(tx, adminId)) >= maxOwnTokens) refuse(tokenErrors.tooMany);
      if (!(await approveDeviceRow(tx, id, { adminId, role, isReadOnly, days })))
        refuse(deviceErrors.unknownCode);
    });
  },

  'device.deny': async (context, { user_code }) => {
    const { id } = await findWaiting(context, user_code);
    if (!(await denyDeviceRow(context.db, id))) refuse(deviceErrors.unknownCode);
  },

  'device.token': async (context, { device_code }) => {
    const deviceHash = hashToken(device_code);
    const polled = await pollDevice(context.db, deviceHash);
    if (polled === null) refuse(deviceErrors.expired);
    if (polled.state === 'pending') refuse(deviceErrors.pending);
    if (polled.state === 'early') refuse(deviceErrors.slowDown);
    if (polled.admin_id === null) refuse(deviceErrors.denied);
    return { token: await takeToken(context, deviceHash, polled.admin_id) };
  },
} satisfies HandlersOf<'device'>;

/** @throws BackofficeError if the caller is not a person with a session */
function personOf({ actor }: Context): string {
  return actor.token === undefined && actor.admin !== null ? actor.admin.id : refuse(deviceErrors.noPerson);
}

async function findWaiting(context: Context, userCode: string) {
  const { db, secretBox } = context;
  const digest = userCodeDigest(secretBox, userCode);
  const found = await findByCode(db, personOf(context), () => selectWaitingDevice(db, digest));
  return found ?? refuse(deviceErrors.unknownCode);
}

/** Tries another random code if one is taken. */
async function insertWithNewCode(db: Database, secretBox: SecretBox, device: Omit<NewDevice, 'userDigest'>) {
  while (true) {
    const code = newUserCode();
    if (await insertDevice(db, { ...device, userDigest: userCodeDigest(secretBox, code) })) return code;
  }
}

/** Creates the token of a device that an admin has let in. The records name the admin. Of many calls, one gets it. */
async function takeToken(
  { change, actor: device, address, mail, db }: Context,
  deviceHash: Buffer,
  ownerId: string,
): Promise<string> {
  const email = (await selectEmail(db, ownerId)) ?? refuse(deviceErrors.denied);
  const actor = asAdmin(device, ownerId, email);
  return await change(async (tx, record) => {
    if (!(await keepOwner(tx, ownerId))) refuse(deviceErrors.denied);
    const taken = (await takeApprovedDevice(tx, deviceHash, ownerId)) ?? refuse(deviceErrors.expired);
    if ((await countValidTokens(tx, ownerId)) >= maxOwnTokens) refuse(tokenErrors.tooMany);
    const { role, read_only: isReadOnly, token_days: days } = taken;
    const granted = { role, isReadOnly, scope: 'all', days } as const;
    const names = namesFrom(taken.name);
    const used = new Set(await selectTakenNames(tx, ownerId, names));
    for (const name of names.filter((candidate) => !used.has(candidate))) {
      const wanted = { ...granted, name, createdBy: email, ownerId, parentId: null };
      const created = await addApiToken(tx, record, wanted);
      if (created === null) continue;
      await sendTokenNotice({ mail, actor, address }, tx, email, name);
      return created.secret;
    }
    return refuse(tokenErrors.tooMany);
  }, actor);
}

/** Returns the names that a token of a device may have: that of the device, or that with a number. */
function namesFrom(name: string): readonly string[] {
  const start = [...name].slice(0, 90).join('').trimEnd();
  return [name, ...Array.from({ length: maxSameName }, (_, index) => `${start} ${index + 2}`)];
}
