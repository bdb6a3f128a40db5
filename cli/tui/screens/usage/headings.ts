import { fit } from '../../../terminal/cells.ts';
import { printable } from '../../../terminal/text.ts';
import { theme } from '../../theme.ts';

export const label = (text: string) => theme.quiet(fit(text, 11));

export const heading = (text: string, note = '') =>
  `  ${theme.title(text)}${note === '' ? '' : `  ${theme.quiet(printable(note))}`}`;
