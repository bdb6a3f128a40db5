import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { offerUndo } from '../parts/changes/offer-undo.tsx';
import { tell } from '../parts/tell.ts';
import { settingsQuery } from './setting-rows.ts';

/** A setting before and after a change; null if it is not set. */
interface SettingChange {
  readonly key: string;
  /** Undefined if it is secret, so that it is neither compared nor put back. */
  readonly before: string | null | undefined;
  readonly after: string | null;
  /** Whether it is secret, or to be. */
  readonly isSecret?: boolean;
}

/**
 * Writes a setting, if it is what the person saw, and offers to undo it. That compares the value too, so a change of a
 * secret cannot be undone.
 *
 * @param text - what is told afterwards
 * @throws ResponseError if the service refuses it
 */
export async function changeSetting(change: SettingChange, text: string): Promise<void> {
  const { key, before, after, isSecret } = change;
  await write(change, { check: true });
  if (isSecret || before === undefined) tell(text);
  // What was stored before is put back, also if it was not valid.
  else offerUndo(text, () => write({ key, before: after, after: before }, { check: false }));
}

async function write(
  { key, before, after, isSecret = false }: SettingChange,
  { check }: { readonly check: boolean },
): Promise<void> {
  try {
    await client.call('settings.update', {
      updates: after === null ? {} : { [key]: after },
      remove: after === null ? [key] : [],
      expected: before === undefined ? {} : { [key]: before },
      ...(isSecret && after !== null && { secret: [key] }),
      check,
    });
  } finally {
    // Awaited, so that the page shows the new value when the form closes, and both values after a conflict.
    await queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
  }
}
