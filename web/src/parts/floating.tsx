import { Menu, type MenuProps, Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import styles from './parts.module.css';

/* What is placed beside something else. The code that finds the place is large, so it is loaded after the page. */

/** Something that can be done with a row. */
export interface RowAction {
  readonly label: string;
  /** The key that does it, where there is one. */
  readonly key?: string | undefined;
  readonly run: () => void;
  /** Why it cannot be done. The menu shows the reason. */
  readonly disabled?: string | undefined;
  /** Whether it takes something away. */
  readonly isDangerous?: boolean;
}

interface ActionMenuProps {
  readonly actions: readonly RowAction[];
  /** The button. */
  readonly children: ReactElement<object>;
  /** Called when it closes, of a menu that exists only while it is open. */
  readonly onClose?: () => void;
}

/** The menu of one row. What cannot be done stays reachable by the keyboard and tells why. */
export function ActionMenu({ actions, children, onClose }: ActionMenuProps) {
  return (
    <Menu
      position="bottom-end"
      withinPortal
      defaultOpened={onClose !== undefined}
      {...(onClose && { onClose })}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, key, run, disabled, isDangerous }) => (
          <Menu.Item
            key={label}
            className={styles.menuItem ?? ''}
            aria-disabled={disabled !== undefined}
            data-dangerous={isDangerous || undefined}
            closeMenuOnClick={disabled === undefined}
            rightSection={key}
            onClick={disabled === undefined ? run : undefined}
          >
            {label}
            {disabled !== undefined && <span className={styles.menuReason}>{disabled}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ChoiceMenuProps<Word extends string> extends MenuProps {
  /** The words to choose from, and their names. */
  readonly words: Readonly<Record<Word, string>>;
  readonly chosen: Word;
  readonly onChoose: (word: Word) => void;
  /** The button. */
  readonly children: ReactElement<object>;
}

/** A menu of which one entry is chosen. */
export function ChoiceMenu<Word extends string>(props: ChoiceMenuProps<Word>) {
  const { words, chosen, onChoose, children, ...menu } = props;
  return (
    <Menu {...menu}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={chosen} onChange={(value) => onChoose(value as Word)}>
          {Object.entries<string>(words).map(([word, name]) => (
            <Menu.RadioItem key={word} value={word}>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

interface ReasonProps {
  readonly text: string;
  readonly children: ReactElement;
}

/** Tells why an element does nothing now, to mice, fingers and keyboards. */
export function Reason({ text, children }: ReasonProps) {
  return (
    <Tooltip label={text} events={{ hover: true, focus: true, touch: true }}>
      {children}
    </Tooltip>
  );
}
