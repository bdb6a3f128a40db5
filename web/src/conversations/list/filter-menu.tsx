import { Button, Menu } from '@mantine/core';
import { Icon } from '../../parts/icon.tsx';
import styles from './conversation-filters.module.css';

interface FilterMenuProps {
  /** What it filters by, such as `Status`. */
  readonly label: string;
  /** The choice that filters nothing, such as `Any status`. */
  readonly any: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Chooses one value of a filter. A menu, because the header has loaded it already. */
export function FilterMenu({ label, any, choices, value, onChange }: FilterMenuProps) {
  const chosen = choices.find((choice) => choice.value === value)?.label ?? value ?? any;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          justify="space-between"
          className={styles.filter ?? ''}
          aria-label={`${label}: ${chosen}`}
          data-active={value !== undefined || undefined}
          rightSection={<Icon name="chevron" />}
        >
          {chosen}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={value ?? ''}
          onChange={(next) => onChange(typeof next === 'string' && next !== '' ? next : undefined)}
        >
          <Menu.RadioItem value="">{any}</Menu.RadioItem>
          {choices.map((choice) => (
            <Menu.RadioItem key={choice.value} value={choice.value}>
              {choice.label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
