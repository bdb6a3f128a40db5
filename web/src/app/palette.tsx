import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { usePages } from './navigation.tsx';
import { themes } from './theme-menu.tsx';

/** Finds pages and actions by their names. */
export function Palette() {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const actions: SpotlightActionData[] = [
    ...usePages().map(({ path, title }) => ({
      id: path,
      label: `Go to ${title}`,
      onClick: () => void navigate({ to: path }),
    })),
    ...themes.map(({ scheme, title }) => ({
      id: scheme,
      label: `Theme: ${title}`,
      onClick: () => setColorScheme(scheme),
    })),
  ];
  return (
    <Spotlight
      lockScroll={false}
      attributes={{ content: { 'aria-label': 'Commands' } }}
      actions={actions}
      // The shell has it, which is there before the palette is loaded.
      shortcut={null}
      nothingFound="Nothing found"
      searchProps={{ placeholder: 'Go to a page, or do something', 'aria-label': 'Command' }}
    />
  );
}
