/**
 * Takes over the customers of the Stripe extension for Firebase:
 *
 * STRIPE_SECRET_KEY=sk_… npm run takeover:stripe-extension -- --project <project id> [--dry-run] [--after <customer
 * id>]
 *
 * Prints the differences in a table, and the webhook endpoints to change. With --dry-run nothing is written. It may be
 * interrupted and repeated; --after continues behind a customer. docs/migrating-from-the-stripe-extension.md describes
 * the whole move.
 *
 * Uses the settings of functions/.env and functions/.env.<project id>, and the application default credentials, or the
 * emulators that environment variables name.
 */
import { HANDLED_EVENTS } from '../../functions/src/billing/webhook/webhook.service.ts';
import { exitWithHelp, helpOf, readCommandLine, type CommandLine } from '../command-line.ts';
import { openDeployment } from '../deployment.ts';
import { resolveProject } from '../project.ts';
import { findOffer } from './plan-finder.ts';
import { tableOf, type Row } from './report.ts';
import { takeOverAll, takeOverCatalogue, type Takeover } from './takeover.ts';
import { endpointAdvice } from './webhook-endpoints.ts';

const COMMAND_LINE = {
  usage: [
    'STRIPE_SECRET_KEY=sk_… npm run takeover:stripe-extension -- --project <project id> [--dry-run] [--after <customer id>]',
  ],
  options: {
    project: { type: 'string', value: '<project id>', help: 'the project, or an alias of .firebaserc' },
    'dry-run': { type: 'boolean', default: false, help: 'prints the differences and writes nothing' },
    after: { type: 'string', default: '', value: '<customer id>', help: 'continues behind a customer' },
  },
  examples: ['npm run takeover:stripe-extension -- --project production --dry-run'],
} as const satisfies CommandLine;

exitWithHelp(COMMAND_LINE);
const { project, 'dry-run': isDryRun, after } = readOptions();
const takeover = await open(resolveProject(project));
const { stripe, offer, backend } = takeover;
for (const key of offer.missingKeys) console.log(`Stripe has no active price with the lookup key ${key}.`);
await takeOverCatalogue(takeover);
await printCustomers();
console.log((await adviceAboutWebhooks()).join('\n'));
await takeover.firestore.terminate();

/** Ends the process if an option is wrong or missing. */
function readOptions() {
  try {
    const { project: named, ...others } = readCommandLine(COMMAND_LINE).values;
    if (named === undefined) throw new Error(helpOf(COMMAND_LINE));
    return { project: named, ...others };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

async function open(projectId: string): Promise<Takeover> {
  // A takeover neither receives webhooks nor sends mail.
  const unused = { STRIPE_WEBHOOK_SECRET: 'unused', MAIL_SMTP_URL: 'extension' };
  const { backend: opened, firestore } = await openDeployment(projectId, unused);
  const client = await opened.stripe();
  return {
    backend: opened,
    firestore,
    stripe: client,
    offer: await findOffer(client, opened.config.plans),
    isDryRun,
  };
}

/** Prints the rows with a note as a table. The position is printed, so that an interrupted run can be continued. */
async function printCustomers(): Promise<void> {
  const noted: Row[] = [];
  let [customers, subscriptions] = [0, 0];
  let last = after;
  try {
    for await (const { id, rows } of takeOverAll(takeover, after)) {
      customers++;
      last = id;
      subscriptions += rows.filter(({ subscription }) => subscription !== undefined).length;
      noted.push(...rows.filter(({ note }) => note !== undefined));
      if (customers % 100 === 0) console.error(`${customers} customers`);
    }
  } finally {
    if (noted.length > 0) console.log(`${tableOf(noted)}\n`);
    if (last !== '')
      console.log(`The last customer was ${last}. An interrupted run continues with --after ${last}`);
    const what = isDryRun ? 'would be taken over' : 'were taken over';
    console.log(
      `${customers} customers with ${subscriptions} subscriptions ${what}; ${noted.length} need a look.`,
    );
  }
}

async function adviceAboutWebhooks(): Promise<string[]> {
  try {
    const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
    return endpointAdvice(data, HANDLED_EVENTS);
  } catch (error) {
    const { message } = error as Error;
    return [
      `The webhook endpoints could not be listed (${message}).`,
      `Switch off the one of the extension in Stripe's dashboard, and keep ${backend.config.appUrl}/api/webhooks/stripe.`,
    ];
  }
}
