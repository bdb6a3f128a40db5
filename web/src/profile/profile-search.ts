import { type RawSearch, wordOf } from '../app/search-params.ts';

const dialogs = ['account', 'password', 'app', 'passkey', 'codes'] as const;

/** What the profile page shows, as its address says. */
export interface ProfileSearch {
  /** The dialog that is open. */
  readonly dialog?: (typeof dialogs)[number] | undefined;
}

/** Reads the address of the profile page. */
export function profileSearch(search: RawSearch): ProfileSearch {
  return { dialog: wordOf(dialogs, search.dialog) };
}
