import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadPart } from '../backend/load-part.ts';
import { isLocal } from '../backend/settings.ts';

/** The banner of `npm start`. Pages of a deployment do not load it. */
export function LocalPart() {
  const [Banner, setBanner] = useState<FunctionComponent>();
  useEffect(() => {
    if (!isLocal(location.hostname)) return;
    void loadPart(() => import('./local-banner.tsx')).then(({ LocalBanner }) => {
      setBanner(() => LocalBanner);
    });
  }, []);
  return Banner === undefined ? null : <Banner />;
}
