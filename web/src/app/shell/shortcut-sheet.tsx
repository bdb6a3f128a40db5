import { Kbd, Switch } from '@mantine/core';
import { Fragment } from 'react';
import { Dialog } from '../../form/dialog.tsx';
import { commandKey } from '../commands/command-key.ts';
import { type ShortcutGroup, shortcutsSwitch, useShortcutGroups } from '../commands/shortcuts.ts';
import styles from './shortcut-sheet.module.css';

interface ShortcutSheetProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Lists the shortcuts of what is shown, made from the same table as what they do. */
export function ShortcutSheet({ isOpen, onClose }: ShortcutSheetProps) {
  const isOn = shortcutsSwitch.use() === 'on';
  const groups = useShortcutGroups();
  return (
    <Dialog opened={isOpen} onClose={onClose} title="Keyboard shortcuts" size="lg" zIndex={400}>
      <Switch
        className={styles.switch}
        label="Shortcuts of single characters"
        description={`Turn them off if you type by voice. ${commandKey} K and the keys of tables keep working.`}
        checked={isOn}
        onChange={({ currentTarget }) => shortcutsSwitch.set(currentTarget.checked ? 'on' : 'off')}
      />
      <div className={styles.groups}>
        {[...Map.groupBy(groups, ({ title }) => title)].map(([title, parts]) => (
          <Shortcuts key={title} title={title} shortcuts={parts.flatMap(({ shortcuts }) => shortcuts)} />
        ))}
      </div>
    </Dialog>
  );
}

function Shortcuts({ title, shortcuts }: ShortcutGroup) {
  return (
    <section className={styles.group}>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.list}>
        {shortcuts.map(({ keys, title: action }) => (
          <Fragment key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <Kbd key={key} size="sm">
                  {key}
                </Kbd>
              ))}
            </dt>
            <dd>{action}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}
