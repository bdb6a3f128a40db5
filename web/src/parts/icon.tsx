/** The lines of each icon, on a grid of 20 by 20. */
const lines = {
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM13 13l4 4',
  theme: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 3v14M11.5 3.5v13M13 4.3v11.4M14.5 5.5v9',
  close: 'M5 5l10 10M15 5L5 15',
  check: 'M4.5 10.5l4 4 7-8',
  chevron: 'M6 8l4 4 4-4',
  back: 'M12 5l-5 5 5 5',
  panel:
    'M4.5 4h11A1.5 1.5 0 0 1 17 5.5v9a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 14.5v-9A1.5 1.5 0 0 1 4.5 4zM8 4v12',
  overview: 'M3.5 3.5H9V9H3.5zM11.5 3.5h5V7h-5zM11.5 9.5h5v7h-5zM3.5 11.5H9v5H3.5z',
  issues: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6.5v4M10 13.4v.1',
  charts: 'M3.5 3.5v13h13M7 13.5V11M10.5 13.5V7M14 13.5V9',
  conversations:
    'M5 4h10a1.5 1.5 0 0 1 1.5 1.5v6A1.5 1.5 0 0 1 15 13H9.5L6 16v-3H5a1.5 1.5 0 0 1-1.5-1.5v-6A1.5 1.5 0 0 1 5 4z',
  savedReplies:
    'M5 4h10a1.5 1.5 0 0 1 1.5 1.5v6A1.5 1.5 0 0 1 15 13H9.5L6 16v-3H5a1.5 1.5 0 0 1-1.5-1.5v-6A1.5 1.5 0 0 1 5 4zM6.5 7h7M6.5 10h4',
  usage: 'M4.3 15a7 7 0 1 1 11.4 0zM10 11l2.5-3.5',
  scraping:
    'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM3 10h14M10 3c2.2 2 3 4.4 3 7s-.8 5-3 7c-2.2-2-3-4.4-3-7s.8-5 3-7z',
  connect: 'M7 3v4M13 3v4M5 7h10v2.5a5 5 0 0 1-10 0zM10 14.5V18',
  settings: 'M3 6.5h7M14 6.5h3M3 13.5h3M10 13.5h7M12 4.5v4M8 11.5v4',
  admins:
    'M7.5 4a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4zM2.5 16c.3-2.7 2.3-4.2 5-4.2s4.7 1.5 5 4.2M13 4.2a2.6 2.6 0 0 1 0 5M14.7 12.2c1.6.6 2.6 1.9 2.8 3.8',
  audit:
    'M6 3h8a1.5 1.5 0 0 1 1.5 1.5v11A1.5 1.5 0 0 1 14 17H6a1.5 1.5 0 0 1-1.5-1.5v-11A1.5 1.5 0 0 1 6 3zM7.5 7h5M7.5 10h5M7.5 13h3',
  webhooks: 'M11 2.5L4.5 11.5H10l-1 6 6.5-9H10z',
  tokens: 'M13 3.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10.5 9.5l-7 7M6 14l2 2',
  sessions: 'M4 4h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM7 16.5h6M10 13v3.5',
  profile: 'M10 3.5a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4zM4 16.5c.4-2.8 2.8-4.3 6-4.3s5.6 1.5 6 4.3',
  forward: 'M8 5l5 5-5 5',
  more: 'M4 9.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4zM10 9.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4zM16 9.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4z',
} as const;

export type IconName = keyof typeof lines;

/** An icon of the size of the text around it. Its button has the name. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg width="1.25em" height="1.25em" viewBox="0 0 20 20" fill="none" aria-hidden="true">
      <path
        d={lines[name]}
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
