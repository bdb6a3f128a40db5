import { ResponseError } from '../../../src/contract/client/typed-client.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { offerUndo } from '../parts/changes/offer-undo.tsx';
import { tell } from '../parts/tell.ts';
import { settingsQuery } from './setting-queries.ts';

/** A setting before and after a change; null if it is not set. */
export interface SettingChange {
  readonly key: string;
  /** Undefined if it is secret, so that it is neither compared nor put back. */
  readonly before: string | null | undefined;
  readonly after: string | null;
  /** Whether it is secret, or to be. */
  readonly isSecret?: boolean;
}

/**
 * Writes settings together, if they are what the person saw, and offers to undo it. That compares the values too, so a
 * change of a secret cannot be undone.
 *
 * @param text - what is told afterwards
 * @throws ResponseError if the service refuses it; nothing is written then
 */
export async function changeSettings(changes: readonly SettingChange[], text: string): Promise<void> {
  await write(changes, { check: true });
  const back = changes.flatMap(({ key, before, after, isSecret }) =>
    isSecret || before === undefined ? [] : [{ key, before: after, after: before }],
  );
  if (back.length < changes.length) return tell(text);
  // What was stored before is put back, also if it was not valid.
  offerUndo(text, () => write(back, { check: false }));
}

async function write(
  changes: readonly SettingChange[],
  { check }: { readonly check: boolean },
): Promise<void> {
  const written = changes.filter(({ after }) => after !== null);
  const secret = written.filter(({ isSecret }) => isSecret).map(({ key }) => key);
  try {
    await client.call('settings.update', {
      updates: Object.fromEntries(written.map(({ key, after }) => [key, after])),
      remove: changes.filter(({ after }) => after === null).map(({ key }) => key),
      expected: Object.fromEntries(
        changes.flatMap(({ key, before }) => (before === undefined ? [] : [[key, before] as const])),
      ),
      ...(secret.length === 0 ? {} : { secret }),
      check,
    });
  } finally {
    // Awaited, so that the page shows the new value when the field closes, and both values after a conflict.
    await queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
  }
}

/** Returns the key of the setting that the service refused, if it named one. */
export function refusedKey(error: Error): string | undefined {
  const prefix = 'updates.';
  const param = error instanceof ResponseError ? error.param : undefined;
  return param?.startsWith(prefix) ? param.slice(prefix.length) : undefined;
}
