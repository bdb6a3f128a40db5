import { admins } from '../../../src/contract/fields/admins.ts';
import { type RawSearch, textOf, wordOf } from '../app/search-params.ts';
import { type FilterOf, filterReader } from '../kit/address.ts';

export type AdminFilter = FilterOf<typeof admins>;

/** What the page of the admins shows, as its address says. */
export interface AdminSearch extends AdminFilter {
  readonly dialog?: 'invite' | undefined;
  /** The id of the admin in the dialog. */
  readonly edit?: string | undefined;
}

/** Returns the filter of an address. */
export const adminFilter = filterReader(admins);

/** Reads the address of the page of the admins, and ignores what it does not know. */
export function adminSearch(search: RawSearch): AdminSearch {
  return {
    ...adminFilter(search),
    // Older links lead to the form with a password.
    dialog: wordOf(['invite'], search.dialog === 'create' ? 'invite' : search.dialog),
    edit: textOf(search.edit),
  };
}
