import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { client } from '../app/data/client.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useTitle } from '../app/use-title.ts';
import styles from '../parts/card.module.css';
import { Card, required } from '../parts/card.tsx';
import { sentenceOf } from '../parts/note.tsx';
import sheet from '../parts/sheet.module.css';

/** Loaded with the answer about the device: it has more fields than the form for the code. */
const AnswerDevice = lazyPart(() => import('./answer-device.tsx'), 'AnswerDevice');

const route = getRouteApi('/signed-in/device');

/** Lets a program such as the command line sign in as this person, if the code that it shows is entered here (RFC 8628). */
export function DevicePage() {
  const search = route.useSearch();
  const find = useMutation({
    mutationFn: async ({ code }: { readonly code: string }) => {
      const { device } = await client.call('device.show', { user_code: code });
      return { ...device, code };
    },
  });
  useTitle('Approve a device');
  return (
    <div className={styles.page}>
      {find.data === undefined ? (
        <Card
          title="Approve a device"
          text="Enter the code that the device shows."
          problem={find.error && sentenceOf(find.error)}
          onSubmit={find.mutate}
        >
          <TextInput
            label="Code"
            name="code"
            defaultValue={search.code}
            {...required}
            placeholder="WDJB-MJHT"
            autoComplete="off"
            autoCapitalize="characters"
            autoFocus
          />
          <div className={sheet.buttons}>
            <Button type="submit" loading={find.isPending}>
              Continue
            </Button>
          </div>
        </Card>
      ) : (
        <AnswerDevice device={find.data} onRestart={find.reset} />
      )}
    </div>
  );
}
