import { withLocalPolicy, withRegion, type HostingConfig } from './local-policy.ts';
import type { StackPorts } from './ports.ts';

/** The users of the demonstration who can sign in. */
export type DemoPeople = readonly { email: string; password: string }[];

/** The file whose headers carry the banner. Every deployment has it too, without the header. */
const BANNER_CARRIER = '/favicon.svg';

interface LocalStack {
  ports: StackPorts;
  region: string;
  /** Whether the Emulator UI runs, which can also change data. */
  ui: boolean;
  /** Names these users in a banner on every page; undefined for no banner. */
  people?: DemoPeople | undefined;
}

/**
 * Hosting's settings for the emulator: the policy reaches the other emulators, rewrites name the region, and a header
 * carries the banner for the developer (web/src/local/banner.ts reads it).
 */
export function localHosting<Hosting extends HostingConfig>(
  hosting: Hosting,
  { ports, region, ui, people }: LocalStack,
): Hosting {
  const local = withRegion(withLocalPolicy(hosting, ports), region);
  if (people === undefined) return local;
  const page = (port: number) => `http://localhost:${port}`;
  const banner = {
    people,
    inbox: page(ports.inbox),
    data: ui ? page(ports.ui) : `${page(ports.inbox)}/data`,
  };
  const headers = [{ key: 'X-Local-Banner', value: JSON.stringify(banner) }];
  return { ...local, headers: [...(local.headers ?? []), { source: BANNER_CARRIER, headers }] };
}
