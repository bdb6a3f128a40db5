import { eventTypes } from '../../src/contract/event-types.ts';
import type { Event } from '../../src/contract/events/envelope.ts';
import { cut } from '../terminal/cells.ts';
import { describeChange } from '../terminal/change.ts';
import { paint } from '../terminal/colours.ts';
import { printable } from '../terminal/text.ts';

/** Wide enough for every type, so that the columns of all lines are aligned. */
const typeWidth = Math.max(...eventTypes.map((type) => type.length));
const subjectWidth = 6;

/**
 * Formats an event as one line: when, what, on which subject, who, and some of its data.
 *
 * @param width - in terminal cells; Infinity for a file or a pipe, where nothing is cut
 */
export function eventLine({ created_at, type, subject_id, actor, data }: Event, width: number): string {
  const head = `${type.padEnd(typeWidth)}  ${(subject_id ?? '').padEnd(subjectWidth)}  `;
  const text = printable(`${created_at}  ${head}${actor}  ${describeChange(null, data)}`.trimEnd());
  const shown = cut(text, width);
  const time = shown.slice(0, created_at.length);
  return paint('dim')(time) + shown.slice(time.length);
}
