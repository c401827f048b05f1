import type { Extras } from '@hearth/client';
import { valueOf } from '../backend/source.ts';
import type { Subject } from '../team/subjects.ts';
import { Card } from '../ui/card.tsx';
import { BuyOnce } from './buy-once.tsx';
import { useExtras } from './catalogue.ts';
import { formatPrice } from './offers.ts';
import { useBalance } from './purchases.ts';
import { billingTexts } from './texts.ts';

type CreditPack = Extras['creditPacks'][number];

/** The credits of a subject, and the packs that it can buy. Nothing if no pack is sold to it. */
export function Credits({ payer: { id, team } }: { payer: Subject }) {
  const extras = useExtras();
  const texts = billingTexts().credits;
  const balance = useBalance(id);
  const type = team === undefined ? 'user' : 'team';
  const packs = (extras?.creditPacks ?? []).filter((pack) => pack.for.includes(type));
  if (packs.length === 0) return null;
  return (
    <Card
      title={texts.title}
      aside={balance.state === 'ready' && <span class="badge">{texts.count(valueOf(balance) ?? 0)}</span>}
    >
      <ul class="list">
        {packs.map((pack) => (
          <li key={pack.slug}>
            <Pack pack={pack} team={team} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Pack({
  pack: { slug, name, description, price },
  team,
}: {
  pack: CreditPack;
  team: string | undefined;
}) {
  const texts = billingTexts().offer;
  return (
    <div class="actions">
      <span>
        <strong>{name}</strong> <span class="muted">{description}</span>
      </span>
      {price === null ? (
        <span class="muted">{texts.notOnSale}</span>
      ) : (
        <BuyOnce
          item={slug}
          label={texts.buy(name, formatPrice(price.unitAmount, price.currency))}
          team={team}
        />
      )}
    </div>
  );
}
