import { Box, Text } from 'ink';
import { memo, type ReactNode } from 'react';

/** A line that fits already. It is drawn anew when it is another one. */
const Line = memo(({ line }: { readonly line: string }): ReactNode => <Text wrap="truncate">{line}</Text>);

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
