import { Text } from 'ink';
import type { ReactNode } from 'react';

/** Lines that fit already, in exactly so many rows. */
export function Lines({ lines, height }: { readonly lines: readonly string[]; readonly height: number }): ReactNode {
  if (height <= 0) return null;
  const shown = lines.slice(0, height);
  // Ink gives an empty line no row, and a blank has none either way.
  const filled = [...shown, ...Array<string>(height - shown.length).fill('')].map((line) => line || ' ');
  return <Text wrap="truncate">{filled.join('\n')}</Text>;
}
