import { notifications } from '@mantine/notifications';
import { noticeEndedSession } from '../app/data/query-client.ts';
import { sentenceOf } from './failure.tsx';

/** Shows what was done, in a message that is read out. */
export function tell(message: string): void {
  notifications.show({ message });
}

/** Shows why something failed, in a message that is read out at once. An ended session leads to the sign-in. */
export function tellError(error: Error): void {
  noticeEndedSession(error);
  notifications.show({ color: 'red', message: sentenceOf(error), role: 'alert' });
}
