import { VisuallyHidden } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Note } from '../note.tsx';

/** Stands for a page that does not exist. */
export function PageNotFound() {
  const navigate = useNavigate();
  return (
    <>
      <VisuallyHidden component="h1">Page not found</VisuallyHidden>
      <Note
        title="There is no such page"
        action={{ label: 'Go to the overview', run: () => void navigate({ to: '/' }) }}
      >
        Check the address, or choose a page in the navigation.
      </Note>
    </>
  );
}
