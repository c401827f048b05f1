import { parseArgs } from 'node:util';
import './tsx.ts';

const USAGE =
  'usage: node main.ts --plans FILE [--extras FILE] [--account NAME] [--port 12111] [--host 127.0.0.1] [--limits] [--webhook-url URL]…';

function readArguments() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '12111' },
      host: { type: 'string', default: '127.0.0.1' },
      plans: { type: 'string' },
      account: { type: 'string', default: 'local' },
      extras: { type: 'string' },
      limits: { type: 'boolean', default: false },
      'webhook-url': { type: 'string', multiple: true, default: [] },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port ${values.port} is not a port`);
  const misfit = values['webhook-url'].find((url) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''));
  if (misfit !== undefined) throw new Error(`--webhook-url ${misfit} is not an http(s) URL`);
  const { account, host, plans, extras, limits } = values;
  if (plans === undefined) throw new Error('--plans is missing: a file with the plans that are sold');
  return { port, host, plans, extras, account, limits, webhookUrls: values['webhook-url'] };
}

function secret(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the local Stripe does not start without it.`);
  return value;
}

async function main(): Promise<void> {
  const { webhookUrls, ...options } = readArguments();
  const { startStripe } = await import('./server.ts');
  const apiKey = secret('STRIPE_SECRET_KEY');
  const webhookSecret = secret('STRIPE_WEBHOOK_SECRET');
  const webhooks = webhookUrls.map((url) => ({ url, secret: webhookSecret }));
  const stripe = await startStripe({ ...options, apiKey, webhooks });
  console.log(`Local Stripe: ${stripe.url} (inspector: ${stripe.url}/_emulator)`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void stripe.close().finally(() => process.exit(0));
    });
  }
}

try {
  await main();
} catch (error) {
  const usage = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  console.error(
    `stripe: ${error instanceof Error ? error.message : String(error)}${usage ? `\n${USAGE}` : ''}`,
  );
  process.exitCode = 1;
}
