import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { themes } from '../app/theme/themes.ts';
import { Section } from '../parts/page/section.tsx';

/** What this browser remembers of how the dashboard looks. */
export function Preferences() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <Section
      title="Theme"
      text="This browser remembers it."
      bar={
        <SegmentedControl
          aria-label="Theme"
          data={themes.map(({ scheme, title }) => ({ value: scheme, label: title }))}
          value={colorScheme}
          onChange={(value) => {
            const theme = themes.find(({ scheme }) => scheme === value);
            if (theme) setColorScheme(theme.scheme);
          }}
        />
      }
    />
  );
}
