import { notifications } from '@mantine/notifications';
import { sentenceOf } from './failure.tsx';

/** Shows why something failed, in a message that is read out at once. */
export function tellError(error: Error): void {
  notifications.show({ color: 'red', message: sentenceOf(error), role: 'alert' });
}
