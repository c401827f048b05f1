import { limitOf } from '@hearth/client';
import { valueOf } from '../backend/source.ts';
import { usePlans } from '../billing/catalogue.ts';
import { formatBytes } from '../format.ts';
import { Meter } from '../ui/meter.tsx';
import { MeterOutline } from '../ui/skeleton.tsx';
import { useStorageUsage } from './queries.ts';
import { filesTexts } from './texts.ts';

/** The owner of files, with the plan and the add-ons that decide the limit. */
export interface PlanHolder {
  plan: string;
  addOns?: Readonly<Record<string, number>> | undefined;
}

/** The used part of the storage of a user or a team. Nothing without a limit. */
export function StorageMeter({ ownerId, holder }: { ownerId: string; holder: PlanHolder }) {
  const plans = valueOf(usePlans());
  const usage = useStorageUsage(ownerId);
  const megabytes = plans && limitOf(plans, holder, 'storageMegabytes');
  if (plans === undefined || usage.state === 'loading') return <MeterOutline />;
  if (typeof megabytes !== 'number' || usage.state !== 'ready') return null;
  const [used, limit] = [usage.value ?? 0, megabytes * 1_000_000];
  const texts = filesTexts().storage;
  return (
    <Meter
      name={texts.name}
      used={used}
      limit={limit}
      text={texts.used(formatBytes(used), formatBytes(limit))}
    />
  );
}
