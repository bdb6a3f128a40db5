import { Skeleton } from '@mantine/core';
import sheet from '../parts/sheet.module.css';

/** Stands for a conversation that is being loaded. */
export function ThreadPlaceholder() {
  return (
    <div className={sheet.stack} aria-hidden="true" data-loading>
      <Skeleton height={36} width="50%" m="md" mb={0} />
      <Skeleton height={64} width="60%" mx="md" />
      <Skeleton height={64} width="60%" ml="auto" mr="md" />
      <Skeleton height={64} width="40%" mx="md" />
    </div>
  );
}
