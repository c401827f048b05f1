import { HearthError, type ChangePreview, type Plan } from '@hearth/client';
import { useRef, useState } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { refresh, useRequest, type Live } from '../backend/source.ts';
import { messageOf } from '../errors.ts';
import { formatDate } from '../format.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/form.tsx';
import { Failure, Loading, Message, Notice } from '../ui/message.tsx';
import { formatPrice } from './offers.ts';
import { billingTexts } from './texts.ts';

type When = 'now' | 'period_end';

interface ChangePlanProps {
  plan: Plan;
  interval: 'month' | 'year';
  /** The team that pays; the user if there is none. */
  team: string | undefined;
}

/**
 * A button that changes the plan of a running subscription. The dialog shows what the change costs before it is made.
 */
export function ChangePlan(props: ChangePlanProps) {
  const title = billingTexts().change.to(props.plan.name);
  return (
    <Dialog label={title} title={title} kind="primary">
      {(close) => <Change {...props} close={close} />}
    </Dialog>
  );
}

function Change({ plan, interval, team, close }: ChangePlanProps & { close: () => void }) {
  const [when, setWhen] = useState<When>('now');
  const [paymentUrl, setPaymentUrl] = useState<string>();
  const change = { plan: plan.slug, interval, when };
  const preview = usePreview(change, team);
  const amount = useRef<HTMLDivElement>(null);
  const { busy, outcome, run } = useAction();
  const texts = billingTexts().change;
  const code = preview.state === 'failed' ? codeOf(preview.error) : outcome?.code;
  const isOnlyPossibleNow = when === 'period_end' && code === 'change_not_plannable';
  const submit = async () => {
    if (preview.state !== 'ready') return;
    const { prorationDate } = preview.value;
    const { payment } = await hearth.subscription
      .change(change, { ...teamOf(team), prorationDate })
      .catch((error: unknown) => {
        const isOutdated = error instanceof HearthError && error.code === 'preview_expired';
        if (isOutdated) refresh(previewKey(change, team));
        throw error;
      });
    if (payment === null) close();
    else setPaymentUrl(payment.url);
  };
  if (paymentUrl !== undefined) return <Unpaid url={paymentUrl} close={close} />;
  return (
    <>
      <Select
        label={texts.when}
        value={when}
        options={[
          ['now', texts.now],
          ['period_end', texts.periodEnd],
        ]}
        onSelect={setWhen}
      />
      <div tabIndex={-1} ref={amount}>
        <Preview preview={preview} />
      </div>
      <Message outcome={outcome} />
      <div class="actions">
        {isOnlyPossibleNow && (
          <Button
            onClick={() => {
              // The focused element disappears here, which would close the dialog.
              amount.current?.focus();
              setWhen('now');
            }}
          >
            {texts.nowInstead}
          </Button>
        )}
        <Button kind="primary" busy={busy || preview.state !== 'ready'} onClick={() => void run(submit)}>
          {when === 'now' ? texts.submitNow : texts.submitLater}
        </Button>
        <Button autofocus onClick={close}>
          {texts.keep}
        </Button>
      </div>
    </>
  );
}

const codeOf = (error: unknown) => (error instanceof HearthError ? error.code : undefined);

interface WantedChange {
  plan: string;
  interval: 'month' | 'year';
  when: When;
}

const previewKey = ({ plan, interval, when }: WantedChange, team: string | undefined) =>
  `preview ${team ?? ''} ${plan} ${interval} ${when}`;

function usePreview(change: WantedChange, team: string | undefined): Live<ChangePreview> {
  return useRequest(previewKey(change, team), (signal) =>
    hearth.subscription.preview(change, { ...teamOf(team), signal }),
  );
}

function Preview({ preview }: { preview: Live<ChangePreview> }) {
  const texts = billingTexts().change;
  if (preview.state === 'loading') return <Loading what={texts.amount} />;
  if (preview.state === 'failed') {
    const { error } = preview;
    return error instanceof HearthError ? (
      <Notice kind="bad">{messageOf(error)}</Notice>
    ) : (
      <Failure error={error} />
    );
  }
  const { amountDue, currency, dueAt, lines } = preview.value;
  return (
    <table class="lines">
      <caption class="muted small">{texts.invoiceOf(formatDate(new Date(dueAt)))}</caption>
      <tbody>
        {lines.map(({ description, amount }, index) => (
          <tr key={index}>
            <td>{description ?? texts.item}</td>
            <td class="number">{formatPrice(amount, currency)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{texts.toPay}</th>
          <td class="number">{formatPrice(amountDue, currency)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Unpaid({ url, close }: { url: string; close: () => void }) {
  const texts = billingTexts().change;
  return (
    <>
      <Notice kind="bad">{texts.unpaid}</Notice>
      <div class="actions">
        <a class="button primary" href={url}>
          {texts.pay}
        </a>
        <Button onClick={close}>{texts.close}</Button>
      </div>
    </>
  );
}

const teamOf = (team: string | undefined) => (team === undefined ? {} : { team });
