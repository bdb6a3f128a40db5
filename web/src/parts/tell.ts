import { notifications } from '@mantine/notifications';
import { sentenceOf } from './failure.tsx';

/** Shows what was done, in a message that is read out. */
export function tell(message: string): void {
  notifications.show({ message });
}

/** Shows why something failed, in a message that is read out at once. */
export function tellError(error: Error): void {
  notifications.show({ color: 'red', message: sentenceOf(error), role: 'alert' });
}
