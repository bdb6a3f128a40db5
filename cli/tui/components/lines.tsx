import { Box, Text } from 'ink';
import { memo, type ReactNode } from 'react';

const style = '\u001B\\[\\d+m';
/** What a terminal would obey besides styles. Ink would let links and line ends through. */
const obeyed = new RegExp(`(?!${style})\\p{Cc}`, 'gu');

/**
 * A line that fits already. It is drawn anew when it is another one, and it is one row, whatever is in it: what others
 * wrote is made `printable` where it is cut to fit, and should that be forgotten, it is still shown here, not obeyed.
 */
export const Line = memo(
  ({ line }: { readonly line: string }): ReactNode => (
    <Text wrap="truncate">{line.replaceAll(obeyed, '\uFFFD')}</Text>
  ),
);

/** Lines that fit already, in exactly so many rows. */
export function Lines({
  lines,
  height,
}: {
  readonly lines: readonly string[];
  readonly height: number;
}): ReactNode {
  if (height <= 0) return null;
  return (
    <Box flexDirection="column" height={height} flexShrink={0}>
      {Array.from({ length: Math.min(height, lines.length) }, (_, row) => (
        // Ink gives an empty line no row. A row is its place.
        <Line key={row} line={(lines[row] ?? '').trimEnd() || ' '} />
      ))}
    </Box>
  );
}
