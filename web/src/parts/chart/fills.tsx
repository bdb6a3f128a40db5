import type { ReactNode } from 'react';

/** The patterns that tell series apart without their colours. The first is a plain area, the fourth a light one. */
const patterns: readonly ((colour: string) => ReactNode)[] = [
  (colour) => <rect width="6" height="6" fill={colour} />,
  (colour) => <path d="M-1 1l2 -2M0 6l6 -6M5 7l2 -2" stroke={colour} strokeWidth="2" />,
  (colour) => (
    <>
      <circle cx="1.5" cy="1.5" r="1.2" fill={colour} />
      <circle cx="4.5" cy="4.5" r="1.2" fill={colour} />
    </>
  ),
  () => null,
  (colour) => <path d="M0 1.5h6M0 4.5h6" stroke={colour} strokeWidth="1.2" />,
  (colour) => <path d="M0 0l6 6M6 0l-6 6" stroke={colour} strokeWidth="1" />,
  (colour) => <path d="M1.5 0v6M4.5 0v6" stroke={colour} strokeWidth="1.2" />,
  (colour) => <path d="M-1 5l2 2M0 0l6 6M5 -1l2 2" stroke={colour} strokeWidth="1" />,
];

interface FillsProps {
  /** The beginning of the patterns' ids. */
  readonly id: string;
  readonly colours: readonly string[];
}

/** The patterns of a drawing, for `fillOf`. */
export function Fills({ id, colours }: FillsProps) {
  return (
    <defs>
      {colours.map((colour, index) => (
        <pattern key={colour} id={`${id}-${index}`} width="6" height="6" patternUnits="userSpaceOnUse">
          {/* A line behind the area must not show through. */}
          <rect width="6" height="6" fill="var(--surface)" />
          <rect width="6" height="6" fill={colour} fillOpacity="0.15" />
          {patterns[index % patterns.length]?.(colour)}
        </pattern>
      ))}
    </defs>
  );
}

/** Returns the fill of a series in a drawing with `Fills`. */
export const fillOf = (id: string, index: number) => `url(#${id}-${index})`;
