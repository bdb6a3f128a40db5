/** The lines of each icon, on a grid of 20 by 20. */
const lines = {
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM13 13l4 4',
  theme: 'M10 3a7 7 0 1 0 0 14V3z',
  close: 'M5 5l10 10M15 5L5 15',
  chevron: 'M6 8l4 4 4-4',
  back: 'M12 5l-5 5 5 5',
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
