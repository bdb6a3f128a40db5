import { client } from '../app/data/client.ts';
import { offerUndo } from '../parts/changes/offer-undo.tsx';
import { reloadUsage } from './usage-queries.ts';

/** A setting as a form has seen it, and the text that takes its place. */
interface SettingChange {
  readonly key: string;
  /** What is changed, such as `Prices`. */
  readonly name: string;
  /** Undefined if there was no such setting. */
  readonly seen: string | undefined;
  readonly text: string;
}

/** Saves a setting unless somebody has changed it since it was seen, and offers to undo that. */
export async function saveSetting({ key, name, seen, text }: SettingChange): Promise<void> {
  if (text === seen) return;
  await client.call('settings.update', { updates: { [key]: text }, expected: { [key]: seen ?? null } });
  reloadUsage();
  offerUndo(`${name} saved.`, async () => {
    const expected = { [key]: text };
    await client.call(
      'settings.update',
      seen === undefined ? { updates: { [key]: '{}' }, expected } : { updates: { [key]: seen }, expected },
    );
    reloadUsage();
    return `${name} are as they were.`;
  });
}
