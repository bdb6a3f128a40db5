import { type ReactNode, useState } from 'react';
import { ResponseError } from '../../../src/contract/client/typed-client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { type Change, Changes } from '../parts/changes/changes.tsx';
import styles from './edit-usage.module.css';
import { reloadUsage, type Settings, usageQuery } from './usage-queries.ts';
import { isEditable } from './usage-setting-values.ts';

interface Overtaken {
  /** The text of the setting that the person has seen: when the form was opened, or after a conflict. */
  readonly seen: string | undefined;
  /** Whether that text is a JSON object. Otherwise saving replaces it as a whole. */
  readonly isSeenReadable: boolean;
  /** Whether there can be a form: a text that is no JSON object would be lost. */
  readonly isEditable: boolean;
  readonly action: 'Save' | 'Save anyway';
  /** Loads what a colleague has made of the setting, if that is why it was not saved. */
  readonly onError: (error: Error) => Promise<void>;
  /** Returns what a colleague has changed, for the form. */
  readonly below: () => ReactNode;
}

/**
 * Lets a person go on after a colleague has changed the setting that they edit: shows the difference, and from then on
 * saving replaces what both have changed.
 *
 * @param entriesOf - returns the entries of the setting, with their names for people
 */
export function useOvertaken(
  key: string,
  settings: Settings,
  entriesOf: (settings: Settings) => ReadonlyMap<string, string>,
): Overtaken {
  const [first] = useState(settings[key]);
  const [theirs, setTheirs] = useState<{ readonly text: string | undefined }>();

  async function onError(error: Error): Promise<void> {
    reloadUsage();
    if (!(error instanceof ResponseError) || error.code !== 'changed') return;
    const now = await queryClient.fetchQuery({ ...usageQuery(), staleTime: 0 });
    setTheirs({ text: now.settings[key] });
  }

  function below(): ReactNode {
    if (theirs === undefined) return null;
    const now = settingsWith(key, theirs.text);
    if (!isEditable(now, key))
      return <p className={styles.theirs}>It cannot be read now. “Save anyway” replaces it as a whole.</p>;
    const changes = differenceOf(entriesOf(settingsWith(key, first)), entriesOf(now));
    return (
      <div className={styles.theirs}>
        {changes.length > 0 && <Changes changes={changes} />}
        <p>“Save anyway” replaces what you have changed too, and keeps their other changes.</p>
      </div>
    );
  }

  const seen = theirs === undefined ? first : theirs.text;
  return {
    isEditable: isEditable(settingsWith(key, first), key),
    seen,
    isSeenReadable: isEditable(settingsWith(key, seen), key),
    action: theirs === undefined ? 'Save' : 'Save anyway',
    onError,
    below,
  };
}

function settingsWith(key: string, text: string | undefined): Settings {
  return text === undefined ? {} : { [key]: text };
}

function differenceOf(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly Change[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .map((name) => ({ name, was: before.get(name), is: after.get(name) }))
    .filter(({ was, is }) => was !== is);
}
