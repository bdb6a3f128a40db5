import { adminSorts } from '../../../src/contract/fields/sorts.ts';
import { type Role, roles, sortsOf } from '../../../src/contract/vocabulary.ts';
import { numberOf, type RawSearch, textOf, wordOf } from '../app/search-params.ts';

const sorts = sortsOf(adminSorts);

/** The order of the list without another one. */
export const defaultSort = 'created_at';

/** What the page of the admins shows, as its address says. */
export interface AdminSearch {
  readonly q?: string | undefined;
  readonly role?: Role | undefined;
  /** `1` for active admins only, `0` for those that are not. */
  readonly is_active?: '0' | '1' | undefined;
  readonly sort?: (typeof sorts)[number] | undefined;
  readonly page?: number | undefined;
  /** The dialog that is open. */
  readonly dialog?: 'create' | 'invite' | undefined;
  /** The id of the admin in the dialog. */
  readonly edit?: string | undefined;
}

/** Reads the address of the page of the admins, and ignores what is no filter. */
export function adminSearch(search: RawSearch): AdminSearch {
  return {
    q: textOf(search.q),
    role: wordOf(roles, search.role),
    is_active: wordOf(['0', '1'], search.is_active),
    sort: wordOf(sorts, search.sort),
    page: numberOf(search.page),
    dialog: wordOf(['create', 'invite'], search.dialog),
    edit: textOf(search.edit),
  };
}

/** The filter of the list. */
export type AdminFilter = Pick<AdminSearch, 'q' | 'role' | 'is_active' | 'sort' | 'page'>;
