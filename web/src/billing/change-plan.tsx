import { HearthError, type ChangePreview, type Plan } from '@hearth/client';
import { useState } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { useRequest, type Live } from '../backend/source.ts';
import { formatDate } from '../format.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/message.tsx';
import { Select } from '../ui/form.tsx';
import { Loading, Message, Notice } from '../ui/message.tsx';
import { formatPrice } from './offers.ts';

type When = 'now' | 'period_end';

interface ChangePlanProps {
  plan: Plan;
  interval: 'month' | 'year';
  /** The team that pays; the user if there is none. */
  team: string | undefined;
}

/** A button that changes the plan of a running subscription. The dialog shows what the change costs before it is made. */
export function ChangePlan(props: ChangePlanProps) {
  const { name } = props.plan;
  return (
    <Dialog label={`Change to ${name}`} title={`Change to ${name}`} kind="primary">
      {(close) => <Change {...props} close={close} />}
    </Dialog>
  );
}

function Change({ plan, interval, team, close }: ChangePlanProps & { close: () => void }) {
  const [when, setWhen] = useState<When>('now');
  const [paymentUrl, setPaymentUrl] = useState<string>();
  const change = { plan: plan.slug, interval, when };
  const preview = usePreview(change, team);
  const { busy, outcome, run } = useAction();
  const submit = async () => {
    if (preview.state !== 'ready') return;
    const { prorationDate } = preview.value;
    const { payment } = await hearth.subscription.change(change, { ...teamOf(team), prorationDate });
    if (payment === null) close();
    else setPaymentUrl(payment.url);
  };
  if (paymentUrl !== undefined) return <Unpaid url={paymentUrl} close={close} />;
  return (
    <>
      <Select
        label="When"
        value={when}
        options={[
          ['now', 'Now, and pay or get back the difference'],
          ['period_end', 'At the end of the paid period'],
        ]}
        onSelect={setWhen}
      />
      <Preview preview={preview} />
      <Message outcome={outcome} />
      <div class="actions">
        <Button kind="primary" busy={busy || preview.state !== 'ready'} onClick={() => void run(submit)}>
          {when === 'now' ? 'Change now' : 'Change later'}
        </Button>
        <Button autofocus onClick={close}>
          Keep the plan
        </Button>
      </div>
    </>
  );
}

function usePreview(
  change: { plan: string; interval: 'month' | 'year'; when: When },
  team: string | undefined,
): Live<ChangePreview> {
  const key = `preview ${team ?? ''} ${change.plan} ${change.interval} ${change.when}`;
  return useRequest(key, (signal) => hearth.subscription.preview(change, { ...teamOf(team), signal }));
}

function Preview({ preview }: { preview: Live<ChangePreview> }) {
  if (preview.state === 'loading') return <Loading what="amount" />;
  if (preview.state === 'failed') {
    const { error } = preview;
    return error instanceof HearthError ? (
      <Notice kind="bad">{error.message}</Notice>
    ) : (
      <Failure error={error} />
    );
  }
  const { amountDue, currency, dueAt, lines } = preview.value;
  return (
    <table class="lines">
      <caption class="muted small">The invoice of {formatDate(new Date(dueAt))}</caption>
      <tbody>
        {lines.map(({ description, amount }, index) => (
          <tr key={index}>
            <td>{description ?? 'Item'}</td>
            <td class="number">{formatPrice(amount, currency)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">To pay</th>
          <td class="number">{formatPrice(amountDue, currency)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Unpaid({ url, close }: { url: string; close: () => void }) {
  return (
    <>
      <Notice kind="bad">The payment failed. The plan changes when the invoice is paid.</Notice>
      <div class="actions">
        <a class="button primary" href={url}>
          Pay the invoice
        </a>
        <Button onClick={close}>Close</Button>
      </div>
    </>
  );
}

const teamOf = (team: string | undefined) => (team === undefined ? {} : { team });
