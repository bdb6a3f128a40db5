import { afterEach, describe, expect, test, vi } from 'vitest';
import { createForm, type FormOptions } from '../../../../cli/tui/dialogs/form.tsx';
import { type Dashboard, openDashboard, silentAccess } from '../../../support/run/dashboard.tsx';

describe('a form', () => {
  let dashboard: Dashboard;
  afterEach(() => dashboard.close());

  const open = (submit: FormOptions['submit']) => {
    dashboard = openDashboard(silentAccess);
    const form = createForm(dashboard.app, {
      title: () => 'A new thing',
      fields: [
        { name: 'name', label: 'Name', kind: 'text', note: 'what it is called' },
        { name: 'secret', label: 'Secret', kind: 'secret' },
        { name: 'kind', label: 'Kind', kind: 'choice', options: ['small', 'large'], initial: 'small' },
        { name: 'text', label: 'Text', kind: 'lines' },
      ],
      submit,
    });
    dashboard.app.open(form);
    return form;
  };

  test('submits what was typed and hides secrets', async () => {
    const submit = vi.fn(async () => undefined);
    open(submit);
    dashboard.write('Ünïcode q?:1');
    dashboard.press('tab');
    dashboard.write('hidden');
    dashboard.press('tab', 'right', 'tab');
    dashboard.write('one');
    dashboard.press('enter');
    dashboard.write('two');
    const frame = await dashboard.shows('two');
    expect(frame).toContain('••••••');
    expect(frame).not.toContain('hidden');
    dashboard.press('ctrl+s');
    await expect
      .poll(() => submit.mock.calls)
      .toEqual([[{ name: 'Ünïcode q?:1', secret: 'hidden', kind: 'large', text: 'one\ntwo' }]]);
    await expect.poll(() => dashboard.app.store.get().dialogs).toEqual([]);
  });

  test('keeps its values and shows the error if submitting fails', async () => {
    open(async () => {
      throw new Error('The database is unavailable.');
    });
    dashboard.write('Kept');
    dashboard.press('ctrl+s');
    expect(await dashboard.shows('✗ The database is unavailable.')).toContain('Kept');
  });

  test('keeps its values when it is closed, except secrets', async () => {
    const form = open(async () => undefined);
    dashboard.write('Kept');
    dashboard.press('tab');
    dashboard.write('secret');
    dashboard.press('esc');
    expect(form.hasContent()).toBe(true);
    dashboard.app.open(form);
    const frame = await dashboard.shows('Kept');
    expect(frame).not.toContain('•');
  });

  test('makes control characters of a given text harmless', async () => {
    const form = open(async () => undefined);
    form.fill({
      name: 'First\n\u001B[7msecond',
      text: 'A \u001B[7mdraft\u001B]8;;http://evil.example\u0007 link',
    });
    const draft = 'A \uFFFD[7mdraft\uFFFD]8;;http://evil.example\uFFFD link';
    const frame = await dashboard.shows('First [7msecond');
    expect(frame).toContain(draft);
    dashboard.press('tab', 'tab', 'tab', 'home');
    await expect.poll(() => dashboard.raw()).toContain('\u001B[7mA\u001B[27m');
    expect(await dashboard.shows('Ctrl-S save')).toContain(draft);
    expect(dashboard.raw()).not.toContain('http://evil.example\u0007');
  });

  test('grows with its text and shows the hints of the focused field', async () => {
    open(async () => undefined);
    // Without timers, only a notification can cause a drawing.
    dashboard.app.stop();
    await dashboard.shows('Tab next field');
    dashboard.press('tab', 'tab', 'tab');
    // Tab also leaves a field of several lines, in which Enter starts a new line.
    await dashboard.shows(/❯ Text.*\n.*Ctrl-S save {2}Tab next field/);
    for (const line of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) {
      dashboard.write(line);
      dashboard.press('enter');
    }
    dashboard.write('eight');
    const frame = await dashboard.shows('eight');
    for (const line of ['Name ', 'one', 'two', 'seven']) expect(frame).toContain(line);
    expect(frame.split('\n')).toHaveLength(23);
  });

  test('makes room for its error below the fields', async () => {
    open(async () => {
      throw new Error('It is too small.');
    });
    dashboard.app.stop();
    await dashboard.shows('── A new thing');
    dashboard.write('Kept');
    dashboard.press('ctrl+s');
    const lines = (await dashboard.shows('✗ It is too small.')).split('\n');
    expect(lines.slice(-6).map((line) => line.trim().split(/ +/).slice(0, 2).join(' '))).toEqual([
      '❯ Name',
      'Secret',
      'Kind ❯',
      'Text',
      '✗ It',
      'Esc back',
    ]);
  });

  test('shows its keys instead of an earlier message', async () => {
    open(async () => undefined);
    dashboard.press('esc');
    dashboard.app.showMessage('No issue selected.', 'note');
    dashboard.press('n');
    expect(dashboard.app.store.get().message).toBeNull();
    await dashboard.shows('Ctrl-S save');
  });
});
