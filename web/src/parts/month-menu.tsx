import { Menu } from '@mantine/core';
import { addMonths, formatMonth, type Month, MonthButton } from './months.tsx';

/** How many months the menu has. The buttons beside it lead further back. */
const menuMonths = 24;

interface MonthMenuProps {
  readonly now: Month;
  readonly shown: Month;
  readonly onChoose: (month: Month) => void;
}

/** The months to choose from. */
export function MonthMenu({ now, shown, onChoose }: MonthMenuProps) {
  return (
    <Menu position="bottom" width={176}>
      <Menu.Target>
        <MonthButton month={shown} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={shown} onChange={(value) => onChoose(String(value))}>
          {Array.from({ length: menuMonths }, (_, index) => addMonths(now, -index)).map((each) => (
            <Menu.RadioItem key={each} value={each}>
              {formatMonth(each)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
