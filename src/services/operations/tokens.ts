import { readOnlyToken, unauthorized } from '../../contract/errors.ts';
import { maxListedTokens, maxOwnTokens, tokenErrors } from '../../contract/operations/tokens.ts';
import {
  countValidTokens,
  keepOwner,
  keepToken,
  type LockedToken,
  lockApiToken,
  selectApiTokens,
  type TokensOf,
} from '../../db/tables/accounts/api-tokens.ts';
import type { Actor } from '../call/actor.ts';
import { refuse } from '../call/refuse.ts';
import { sendTokenNotice } from '../mail/templates.ts';
import { keepOwnSession } from '../sign-in/sessions.ts';
import { addApiToken, endApiToken } from '../sign-in/tokens.ts';
import { findShort } from '../streaming/list-answer.ts';
import type { HandlersOf } from './handler-types.ts';

export const tokenHandlers = {
  'tokens.list': async (context, { q }) => ({
    tokens: await findShort(context, q, (db) =>
      selectApiTokens(db, listedFor(context.actor), { q, limit: maxListedTokens }),
    ),
  }),

  'tokens.create': async (context, { name, role, expires_days: days, read_only, scope }) => {
    const { change, actor } = context;
    const { strictRoles } = context.rules;
    const { token: parent, admin } = actor;
    if (read_only && scope === 'intake') refuse(tokenErrors.readsNothing);
    if (strictRoles && parent !== undefined) refuse(tokenErrors.strictToken);
    const ownerId = admin?.id ?? null;
    const parentId = parent?.id ?? null;
    const { token, secret } = await change(async (tx, record) => {
      if (ownerId !== null && !(await keepOwner(tx, ownerId))) refuse(unauthorized);
      await keepOwnSession(tx, actor);
      if (parentId !== null && !(await keepToken(tx, parentId))) refuse(unauthorized);
      if (ownerId !== null && (await countValidTokens(tx, ownerId)) >= maxOwnTokens)
        refuse(tokenErrors.tooMany);
      const wanted = {
        name,
        role,
        scope,
        isReadOnly: read_only,
        createdBy: actor.name,
        ownerId,
        parentId,
        days,
      };
      const added = (await addApiToken(tx, record, wanted)) ?? refuse(tokenErrors.nameTaken);
      if (admin !== null) await sendTokenNotice(context, tx, admin.email, name);
      return added;
    });
    return { success: true, token, secret };
  },

  'tokens.revoke': async ({ change, actor, rules: { strictRoles } }, { id }) => {
    const { token } = actor;
    const isOther = token !== undefined && token.id !== id;
    if (isOther && token.isReadOnly) refuse(readOnlyToken);
    if (isOther && strictRoles) refuse(tokenErrors.strictToken);
    await change(async (tx, record) => {
      const found = await lockApiToken(tx, id);
      if (found !== null && isListed(found, listedFor(actor))) await endApiToken(tx, record, found);
    });
  },
} satisfies HandlersOf<'tokens'>;

/** Returns whose tokens the actor sees and revokes. */
function listedFor({ role, admin, token }: Actor): TokensOf {
  if (role === 'superadmin') return 'all';
  // Who has neither an account nor a token is the local operator, a superadmin.
  return admin === null ? { tokenId: token?.id ?? 0 } : { ownerId: admin.id };
}

function isListed({ id, owner_id, parent_id }: LockedToken, whose: TokensOf): boolean {
  if (whose === 'all') return true;
  return 'ownerId' in whose
    ? owner_id === whose.ownerId
    : id === whose.tokenId || parent_id === whose.tokenId;
}
