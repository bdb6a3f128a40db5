import { Button, Menu } from '@mantine/core';
import { Icon } from '../icon.tsx';
import { Mark } from '../mark.tsx';
import styles from './words-filter.module.css';

interface WordsFilterProps {
  /** What it filters by, such as `Status`. */
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** The chosen values, separated by commas. */
  readonly chosen: string | undefined;
  readonly onChange: (chosen: string | undefined) => void;
  readonly className?: string | undefined;
}

/** Returns the name of the button, which has its text and says what is chosen. */
function nameOf(label: string, shown: string, names: readonly string[]): string {
  if (names.length < 2) return names.length === 0 ? label : `${label}: ${shown}`;
  return `${shown}, ${names.join(' and ')}`;
}

/** A filter by one or more of a few words. Its menu stays open while one chooses. */
export function WordsFilter({ label, choices, chosen, onChange, className = '' }: WordsFilterProps) {
  const values = chosen?.split(',') ?? [];
  const names = values.map((value) => choices.find((choice) => choice.value === value)?.label ?? value);
  const [first] = names;
  const shown = first === undefined ? label : names.length === 1 ? first : `${label}: ${names.length}`;
  const toggle = (value: string, isOn: boolean) => {
    const next = isOn ? [...values, value] : values.filter((other) => other !== value);
    onChange(next.length === 0 ? undefined : next.join(','));
  };
  return (
    // Beside the button: at the end of the page it would be in no landmark. The element that takes the focus first is no item.
    <Menu
      position="bottom-start"
      closeOnItemClick={false}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button
          variant="default"
          justify="space-between"
          className={`${styles.filter} ${className}`}
          aria-label={nameOf(label, shown, names)}
          data-active={first !== undefined || undefined}
          rightSection={<Icon name="chevron" />}
        >
          {shown}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map((choice) => (
          <Menu.CheckboxItem
            key={choice.value}
            checked={values.includes(choice.value)}
            onChange={(isOn) => toggle(choice.value, isOn)}
          >
            <Mark word={choice.label} />
          </Menu.CheckboxItem>
        ))}
        {first !== undefined && (
          <>
            <Menu.Divider />
            <Menu.Item closeMenuOnClick onClick={() => onChange(undefined)}>
              Any {label.toLowerCase()}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
