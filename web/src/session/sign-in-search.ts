import { type RawSearch, textOf, wordOf } from '../app/search-params.ts';

/** Where the sign-in leads, and why it is shown, as its address says. */
interface SignInSearch {
  /** The address that one wanted to see. */
  readonly back?: string | undefined;
  /** `ended` if a session has ended while its page was open. */
  readonly why?: 'ended' | undefined;
}

/** Reads the address of the sign-in. */
export function signInSearch(search: RawSearch): SignInSearch {
  return { back: textOf(search.back), why: wordOf(['ended'], search.why) };
}
