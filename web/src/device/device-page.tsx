import { Alert, Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { client } from '../app/data/client.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useTitle } from '../app/use-title.ts';
import styles from '../parts/card.module.css';
import { sentenceOf } from '../parts/failure.tsx';
import sheet from '../parts/sheet.module.css';
import type { WaitingDevice } from './answer-device.tsx';

/** Loaded with the answer about the device: it has more fields than the form for the code. */
const AnswerDevice = lazyPart(() => import('./answer-device.tsx'), 'AnswerDevice');

const route = getRouteApi('/signed-in/device');

/** Lets a program such as the command line sign in as this person, if the code that it shows is entered here (RFC 8628). */
export function DevicePage() {
  const { code } = route.useSearch();
  const [device, setDevice] = useState<WaitingDevice>();
  useTitle('Approve a device');
  return (
    <div className={styles.page}>
      {device === undefined ? (
        <CodeForm code={code} onFound={setDevice} />
      ) : (
        <Suspense>
          <AnswerDevice device={device} onRestart={() => setDevice(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

interface CodeFormProps {
  readonly code: string | undefined;
  readonly onFound: (device: WaitingDevice) => void;
}

function CodeForm({ code = '', onFound }: CodeFormProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { code } });
  const find = useMutation({
    mutationFn: async (values: typeof form.values) =>
      (await client.call('device.show', { user_code: values.code })).device,
    onSuccess: (device, values) => onFound({ ...device, code: values.code }),
  });
  return (
    <form className={styles.card} onSubmit={form.onSubmit((values) => find.mutate(values))}>
      <h1 className={styles.title}>Approve a device</h1>
      <p className={sheet.text}>Enter the code that the device shows.</p>
      {find.error && (
        <Alert color="red" role="alert">
          {sentenceOf(find.error)}
        </Alert>
      )}
      <TextInput
        label="Code"
        placeholder="WDJB-MJHT"
        autoComplete="off"
        autoCapitalize="characters"
        autoFocus
        required
        withAsterisk={false}
        {...form.getInputProps('code')}
        key={form.key('code')}
      />
      <div className={sheet.buttons}>
        <Button type="submit" loading={find.isPending}>
          Continue
        </Button>
      </div>
    </form>
  );
}
