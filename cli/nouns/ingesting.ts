import type { OperationId } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';
import type { Ingestion } from '../input/ingest.ts';
import { emitChange } from '../output/emit.ts';
import { print } from '../terminal/terminal.ts';
import { maybe, text } from '../verb/parameters.ts';
import { type Manual, type Verb, verb } from '../verb/verb.ts';

/** A verb that sends the lines of a file. */
interface Ingesting<Item, Counts> extends Manual, Pick<Ingestion<Item, Counts>, 'name'> {
  readonly operation: OperationId;
  /** Imports what the lines are checked by. It would slow down `--help`. */
  load(): Promise<Pick<Ingestion<Item, Counts>, 'schema' | 'maxItemsPerRequest'>>;
  send(access: Access, items: readonly Item[]): Promise<NoInfer<Counts>>;
  /** The counts before the first line. */
  readonly none: Counts;
  /** Says what was done. */
  done(counts: Counts): string;
}

const file = text('a file of JSON lines, or - for standard input, which is the default', 'file');

/** Declares a verb that sends the lines of a file. */
export function ingesting<Item, Counts extends Readonly<Record<string, number>>>(
  declared: Ingesting<Item, Counts>,
): Verb {
  const { operation, load, name, send, none, done, ...manual } = declared;
  return verb({
    ...manual,
    params: { file: { ...maybe(file), source: 'files' } },
    operations: [operation],
    async run({ given: { file = '-' }, format, open }) {
      const { ingest } = await import('../input/ingest.ts');
      const loaded = await load();
      await open(async (access) => {
        const sent = { ...loaded, file, name, send: (items: readonly Item[]) => send(access, items) };
        const counts = await ingest(sent, none);
        await emitChange({ success: true, ...counts }, format, () => print(done(counts)));
      });
    },
  });
}
