import { Button, Drawer, Kbd, Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Fragment } from 'react';
import { SwitchedDialog } from '../../form/dialog.tsx';
import { useIsOnTop } from '../../form/dialog-keys.ts';
import { Moment } from '../../parts/moment.tsx';
import sheet from '../../parts/sheet.module.css';
import { tellError } from '../../parts/tell.tsx';
import { sheetSwitch } from '../commands/commands.ts';
import { commandKey } from '../commands/keys.ts';
import { shortcutsSwitch, useOfferedShortcuts } from '../commands/shortcuts.ts';
import { askForSession, type EndingSession } from '../session/session-end.ts';
import { Navigation } from './navigation.tsx';
import styles from './shell.module.css';

interface MenuDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The navigation of narrow windows. */
export function MenuDrawer({ isOpen, onClose }: MenuDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      closeOnEscape={useIsOnTop(isOpen)}
      position="left"
      title="Menu"
      size="xs"
    >
      <Navigation onChoose={onClose} />
    </Drawer>
  );
}

/** Announces that the session is about to end, and prolongs one that ends because it is not used. */
export function SessionNotice({ ending: { at, isFinal } }: { readonly ending: EndingSession }) {
  const stay = useMutation({ mutationFn: askForSession, onError: tellError });
  return (
    <section className={`${sheet.row} ${styles.ending}`} aria-label="End of the session">
      <div role="alert">
        <strong>
          You will be signed out at <Moment at={new Date(at).toISOString()} form="time" />.
        </strong>{' '}
        {isFinal
          ? 'A session cannot last longer. Drafts of replies and most forms are kept until you sign in again.'
          : 'You have not used this page for a while.'}
      </div>
      {!isFinal && (
        <Button size="sm" loading={stay.isPending} onClick={() => stay.mutate()}>
          Stay signed in
        </Button>
      )}
    </section>
  );
}

/** Lists the shortcuts of what is shown, made from the same table as what they do. */
export function ShortcutSheet() {
  const isOn = shortcutsSwitch.use() === 'on';
  const groups = Map.groupBy(useOfferedShortcuts(), ({ group }) => group);
  return (
    <SwitchedDialog
      opened={sheetSwitch.use()}
      onClose={() => sheetSwitch.set(false)}
      title="Keyboard shortcuts"
      size="lg"
      zIndex={400}
    >
      <Switch
        mb={24}
        label="Single-key shortcuts"
        description={`Turn them off if you type by voice. ${commandKey} K and the keys of tables keep working.`}
        checked={isOn}
        onChange={({ currentTarget }) => shortcutsSwitch.set(currentTarget.checked ? 'on' : 'off')}
      />
      <div className={styles.keyGroups}>
        {[...groups].map(([group, shortcuts]) => (
          <section key={group} className={styles.keyGroup}>
            <h3 className={sheet.small}>{group}</h3>
            <dl className={styles.keyList}>
              {shortcuts.map(({ keys, title }) => (
                <Fragment key={keys}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <Kbd key={key} size="sm">
                        {key}
                      </Kbd>
                    ))}
                  </dt>
                  <dd>{title}</dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </SwitchedDialog>
  );
}
