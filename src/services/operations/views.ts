import { isDeepStrictEqual } from 'node:util';
import { unauthorized } from '../../contract/errors.ts';
import { maxViews, type SavedView, viewErrors } from '../../contract/operations/views.ts';
import { viewMistake } from '../../contract/saved-views.ts';
import { keepOwner } from '../../db/tables/accounts/api-tokens.ts';
import { deleteView, lockViews, selectViews, storeView } from '../../db/tables/saved-views.ts';
import type { Actor } from '../call/actor.ts';
import { refuse } from '../call/refuse.ts';
import type { HandlersOf } from './handler-types.ts';

const ownerOf = ({ admin }: Actor) => admin?.id ?? null;

export const viewHandlers = {
  'views.list': async ({ db, actor }, { list }) => ({ views: await selectViews(db, ownerOf(actor), list) }),

  'views.save': async ({ change, actor }, { list, name, new_name, filter, ...given }) => {
    const mistake = viewMistake(list, filter ?? {}, given.sort);
    if (mistake !== undefined) refuse(mistake);
    const owner = ownerOf(actor);
    await change(async (tx, record) => {
      if (owner !== null && !(await keepOwner(tx, owner))) refuse(unauthorized);
      await lockViews(tx, owner);
      const own = await selectViews(tx, owner);
      const before = own.find((each) => each.list === list && each.name === name);
      if (before === undefined && filter === undefined) refuse(viewErrors.unknown);
      if (before === undefined && own.length >= maxViews) refuse(viewErrors.tooMany);
      const { sort = null, columns = null, is_first = false } = { ...before, ...present(given) };
      const after: SavedView = {
        list,
        name: new_name ?? name,
        sort,
        columns,
        is_first,
        filter: filter === undefined ? (before?.filter ?? {}) : withoutEmpty(filter),
      };
      if (isDeepStrictEqual(before, after)) return;
      if (own.some((each) => each !== before && each.list === list && each.name === after.name))
        refuse(viewErrors.nameTaken);
      await storeView(tx, owner, after, before?.name);
      record({ event: 'view.saved', id: null, after: { list } });
    });
  },

  'views.delete': ({ change, actor }, { list, name }) =>
    change(async (tx, record) => {
      if (await deleteView(tx, ownerOf(actor), list, name))
        record({ event: 'view.deleted', id: null, before: { list } });
    }),
} satisfies HandlersOf<'views'>;

/** Returns the fields that are present. */
const present = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;

const withoutEmpty = (filter: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
