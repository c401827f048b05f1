import type { StackPorts } from './ports.ts';

const POLICY = 'Content-Security-Policy';

/** The parts of firebase.json's `hosting` that this reads. */
export interface HostingConfig {
  headers?: { source?: string; headers: { key: string; value: string }[] }[];
  rewrites?: { source: string; destination?: string; function?: { functionId: string; region?: string } }[];
}

/**
 * Hosting's settings with a Content-Security-Policy under which pages reach this machine's emulators too, by their
 * ports. firebase.json has the policy of a deployed app, where no page has any business with the visitor's own machine.
 */
export function withLocalPolicy<Hosting extends HostingConfig>(hosting: Hosting, ports: StackPorts): Hosting {
  const additions = {
    'connect-src': [ports.auth, ports.firestore, ports.storage].flatMap(originsOf),
    'frame-src': originsOf(ports.auth),
    'img-src': originsOf(ports.storage),
  };
  const headers = hosting.headers?.map((rule) => ({
    ...rule,
    headers: rule.headers.map((header) =>
      header.key === POLICY ? { ...header, value: extended(header.value, additions) } : header,
    ),
  }));
  return { ...hosting, headers };
}

/**
 * Hosting's settings with the region of each function. A deployment finds the region by itself among the functions; the
 * Hosting emulator does not, and would look in us-central1.
 */
export function withRegion<Hosting extends HostingConfig>(hosting: Hosting, region: string): Hosting {
  const rewrites = hosting.rewrites?.map((rewrite) =>
    rewrite.function === undefined ? rewrite : { ...rewrite, function: { ...rewrite.function, region } },
  );
  return { ...hosting, rewrites };
}

const originsOf = (port: number) => [`http://127.0.0.1:${port}`, `http://localhost:${port}`];

/** A policy whose directives allow more sources. */
function extended(policy: string, additions: Readonly<Record<string, readonly string[]>>): string {
  return policy
    .split('; ')
    .map((directive) => {
      const [name = ''] = directive.split(' ');
      return [directive, ...(additions[name] ?? [])].join(' ');
    })
    .join('; ');
}
