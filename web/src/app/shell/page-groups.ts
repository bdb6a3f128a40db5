import { pages } from '../../../../src/contract/pages.ts';

type PageKey = keyof typeof pages;

/** The groups of the navigation, with each page's letter: `g` and then the letter lead to it. */
const groups = [
  {
    title: 'Work',
    letters: { overview: 'o', issues: 'i', charts: 'h', conversations: 'c', savedReplies: 'd' },
  },
  { title: 'Services', letters: { usage: 'u', scraping: 'r', connect: 'n' } },
  { title: 'Administration', letters: { settings: 's', admins: 'a', audit: 'l', webhooks: 'w' } },
  { title: 'Access', letters: { tokens: 't', sessions: 'e', profile: 'p' } },
] as const;

export interface PageLink {
  readonly key: PageKey;
  readonly path: (typeof pages)[PageKey]['path'];
  readonly title: string;
  readonly needs: (typeof pages)[PageKey]['needs'];
  /** The shortcut that leads to it. */
  readonly shortcut: string;
}

export interface PageGroup {
  readonly title: string;
  readonly links: readonly PageLink[];
}

/** The pages of the dashboard in the groups of the navigation. */
export const pageGroups: readonly PageGroup[] = groups.map(({ title, letters }) => ({
  title,
  links: Object.entries(letters).flatMap(([name, letter]) => {
    const key = name as PageKey;
    return key in pages ? [{ key, ...pages[key], shortcut: `g ${letter}` }] : [];
  }),
}));
