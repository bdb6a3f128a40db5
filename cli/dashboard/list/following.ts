import type { Event } from '../../../src/contract/events/envelope.ts';
import type { Noun } from '../../../src/contract/fields/field.ts';
import type { App } from '../app/app.ts';
import type { Part } from '../app/types.ts';
import type { Key, Rows } from './rows.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Keeps rows current: an event sets the words of its rows at once, and all rows load again soon after. Texts wait for that,
 * because events cut them.
 *
 * @param also - other events after which the rows load again
 */
export function following<Row extends { readonly id: Key }>(
  app: App,
  rows: Rows<Row>,
  { event: one, many, fields }: Noun,
  also?: RegExp,
): Part {
  const isAbout = new RegExp(`^(${one}|${many})\\.`);
  const patch = (ids: Iterable<Key>, values: Values) => {
    const set = Object.fromEntries(Object.entries(values).filter(([name]) => fields[name]?.kind === 'word'));
    if (Object.keys(set).length > 0) rows.patch(ids, (row) => ({ ...row, ...set }));
  };
  const receive = ({ type, subject_id, data }: Event) => {
    const { ids, set, ...values } = data as Values & { readonly ids?: readonly Key[]; readonly set?: Values };
    const id = fields.id?.kind === 'id' ? Number(subject_id) : (subject_id ?? '');
    if (type === `${one}.updated`) patch([id], values);
    else if (type === `${many}.updated`) patch(ids ?? [], set ?? {});
    else if (type === `${one}.deleted`) rows.remove([id]);
    else if (type === `${many}.deleted`) rows.remove(ids ?? []);
  };
  return {
    onEvents(events) {
      for (const event of events) receive(event);
      if (events.some(({ type }) => isAbout.test(type) || also?.test(type))) app.refresh();
    },
  };
}
