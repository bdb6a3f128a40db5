import { Box, Text } from 'ink';
import { memo, type ReactNode } from 'react';

const style = '\u001B\\[[\\d;]+m';
/** Control characters that are not part of a style. Ink would pass links and line breaks through. */
const unsafe = new RegExp(`(?!${style})\\p{Cc}`, 'gu');

/**
 * A line that already fits, drawn in exactly one row. Text from other people is made `printable` where it is cut to fit.
 * As a second defense, this replaces control characters that were missed.
 */
export const Line = memo(
  ({ line }: { readonly line: string }): ReactNode => (
    <Text wrap="truncate">{line.replaceAll(unsafe, '\uFFFD')}</Text>
  ),
);

/** Lines that already fit, in exactly `height` rows. */
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
        // Ink gives an empty line no row. Rows have no other key than their position.
        <Line key={row} line={(lines[row] ?? '').trimEnd() || ' '} />
      ))}
    </Box>
  );
}
