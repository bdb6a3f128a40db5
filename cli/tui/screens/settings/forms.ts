import { knownSettings, settingProblem } from '../../../../src/contract/known-settings/known-settings.ts';
import { cut } from '../../../terminal/cells.ts';
import { printable } from '../../../terminal/text.ts';
import { draftsOf } from '../../dialogs/drafts.ts';
import { createForm, type FollowUp, type Form } from '../../dialogs/form.tsx';
import { firstKeyOf } from '../../keys/keymap.ts';
import type { App } from '../../state/app.ts';
import type { SettingRow } from './row.ts';

export interface SettingFormOptions {
  /** Loads all settings. */
  readonly load: () => Promise<ReadonlyMap<string, SettingRow>>;
  /**
   * Saves a value unless the stored one is no longer what the user saw; undefined if it was not set. One that the service
   * cannot use must be declared.
   */
  readonly save: (
    key: string,
    value: string,
    seen: SettingRow | undefined,
    isInvalid: boolean,
  ) => Promise<FollowUp>;
}

interface NewSettingOptions extends SettingFormOptions {
  /** Returns why the user may not change a setting. */
  readonly refusalOf: (key: string) => string | undefined;
}

/** Returns the form for a new setting. */
export function createSettingForm(app: App, { load, save, refusalOf }: NewSettingOptions): Form {
  const insists = insistence(app);
  return createForm(app, {
    title: () => 'Add a setting',
    fields: [
      { name: 'key', label: 'Key', kind: 'text', note: 'site_name' },
      { name: 'value', label: 'Value', kind: 'lines' },
    ],
    async submit({ key = '', value = '' }) {
      if (key === '') throw new Error('Enter a key.');
      const refusal = refusalOf(key);
      if (refusal !== undefined) throw new Error(refusal);
      if ((await load()).has(key)) throw new Error(`Setting ${key} already exists. Edit it instead.`);
      return await save(key, value, undefined, insists(key, value));
    },
  });
}

/**
 * Returns a function that warns of a value which the service cannot read, by an error. The same value passes the second
 * time; then it returns true.
 */
function insistence(app: App): (key: string, value: string) => boolean {
  let warnedOf: string | undefined;
  return (key, value) => {
    const problem = settingProblem(key, value);
    if (problem === undefined) return false;
    const given = JSON.stringify([key, value]);
    if (warnedOf === given) return true;
    warnedOf = given;
    const submitKey = firstKeyOf(app.keymap, 'editor.submit');
    throw new Error(`${problem} It would count as not set. Press ${submitKey} again to save it anyway.`);
  };
}

/** Creates the editors of values: one form per key, which keeps its text until it is saved. */
export function settingEditors(app: App, { load, save }: SettingFormOptions) {
  const forms = new Map<string, Form>();
  const conflictSentence = (stored: SettingRow | undefined) => {
    const submitKey = firstKeyOf(app.keymap, 'editor.submit');
    if (stored === undefined) return `This setting was deleted. Press ${submitKey} again to add it back.`;
    if (stored.isSecret) return `This setting is secret now. Press ${submitKey} again to replace its value.`;
    return `The value was changed to “${cut(printable(stored.value), 60)}”. Press ${submitKey} again to overwrite it.`;
  };
  const createEditor = ({ key, value, isSecret }: SettingRow): Form => {
    /** The value that the user knows about; undefined if the setting was deleted, null if it is secret. */
    let known: string | null | undefined = shownValue({ value, isSecret });
    const insists = insistence(app);
    return createForm(app, {
      title: () => `${isSecret ? 'New value' : 'Value'} of ${key}`,
      fields: [{ name: 'value', label: '', kind: 'lines', initial: value, suffix: suffixOf(key, value) }],
      async submit({ value: written = '' }) {
        const stored = (await load()).get(key);
        const current = stored && shownValue(stored);
        if (current !== known && current !== written) {
          known = current;
          throw new Error(conflictSentence(stored));
        }
        const followUp = await save(key, written, stored, insists(key, written));
        forms.delete(key);
        return followUp;
      },
    });
  };
  return {
    /** @param isExternal - opens the value in the user's editor first */
    open(setting: SettingRow, isExternal = false) {
      const existing = forms.get(setting.key);
      const form = existing?.hasContent() ? existing : createEditor(setting);
      forms.set(setting.key, form);
      if (isExternal) void form.compose('value');
      else app.open(form);
    },
    drafts: () => [...forms].flatMap(([key, form]) => draftsOf(form, `value of ${key}`)),
  };
}

function shownValue({ value, isSecret }: Pick<SettingRow, 'value' | 'isSecret'>): string | null {
  return isSecret ? null : value;
}

/** Returns the suffix of a value's file: that of JSON if the service reads it as JSON, or it looks like it. */
function suffixOf(key: string, value: string): '.json' | '.txt' {
  if (knownSettings.some((known) => known.key === key && known.kind === 'json')) return '.json';
  return /^\s*[[{]/.test(value) ? '.json' : '.txt';
}
