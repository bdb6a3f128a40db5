import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { Icon } from '../../parts/icon.tsx';
import { themes } from '../theme/themes.ts';

/** Chooses the theme, which this browser remembers. Stopping transitions meanwhile would take a <style> element. */
export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Theme">
          <Icon name="theme" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(schemeOf(value))}>
          {themes.map(({ scheme, title }) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {title}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

function schemeOf(value: unknown): MantineColorScheme {
  return themes.find(({ scheme }) => scheme === value)?.scheme ?? 'auto';
}
