import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { Notifications, notifications } from '@mantine/notifications';
import { wasJustReplaced } from './new-version.ts';

if (wasJustReplaced())
  notifications.show({
    message: 'The dashboard was updated, so this page was loaded again. Drafts of replies are kept.',
  });

/** The messages of what has been done, at the edge of the page. */
export const Messages = Notifications;
