import { withLocalPolicy, withRegion, type HostingConfig } from './local-policy.ts';
import type { StackPorts } from './ports.ts';

/** A banner on every page for the developer; it also says where mail, data and the API document are. */
export interface LocalBanner {
  /** The users of the demonstration who can sign in. */
  people: readonly { email: string; password: string }[];
  /** Whether the pages are built again when their sources change. Then an open page reloads itself. */
  isWatched: boolean;
}

/** The file whose headers carry the banner. Every deployment has it too, without the header. */
const BANNER_CARRIER = '/favicon.svg';

interface LocalStack {
  ports: StackPorts;
  region: string;
  /** Whether the Emulator UI runs, which can also change data. */
  ui: boolean;
  banner?: LocalBanner | undefined;
}

/**
 * Hosting's settings for the emulator: the policy reaches the other emulators, rewrites name the region, and a header
 * carries the banner for the developer (web/src/local/banner.ts reads it).
 */
export function localHosting<Hosting extends HostingConfig>(
  hosting: Hosting,
  { ports, region, ui, banner }: LocalStack,
): Hosting {
  const local = withRegion(withLocalPolicy(hosting, ports), region);
  if (banner === undefined) return local;
  const page = (port: number) => `http://localhost:${port}`;
  const contents = {
    ...banner,
    inbox: page(ports.inbox),
    data: ui ? page(ports.ui) : `${page(ports.inbox)}/data`,
  };
  const headers = [{ key: 'X-Local-Banner', value: JSON.stringify(contents) }];
  return { ...local, headers: [...(local.headers ?? []), { source: BANNER_CARRIER, headers }] };
}
