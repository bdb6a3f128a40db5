import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';
import { tell } from '../parts/tell.tsx';
import { wasJustReplaced } from './lazy-part.ts';

if (wasJustReplaced())
  tell('The dashboard was updated, so this page was loaded again. Drafts of replies are kept.');

/** The messages of what has been done, at the edge of the page. */
export const Messages = Notifications;
