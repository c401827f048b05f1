import type Stripe from 'stripe';
import type { Offered } from '../../functions/src/settings/extras.ts';
import type { Google } from './google.ts';
import type { Protection } from './protection.ts';

/** The deployment that is set up. */
export interface Target {
  projectId: string;
  /** Region of the functions, of Firestore and of the bucket. */
  region: string;
  appUrl: string;
  /** Settings that `functions/.env.<project id>` must have. */
  settings: Readonly<Record<string, string>>;
  /** The folder of that file. */
  settingsFolder: string;
  /** Secrets that the operator gave, by their names. Secrets that Secret Manager already has may be missing. */
  secrets: Readonly<Record<string, string>>;
  protection: Protection;
  /** Everything that is sold. */
  offered: Offered;
  google: Google;
  /** Undefined if neither the operator nor Secret Manager has a secret key. */
  stripe: Stripe | undefined;
  now: () => Date;
}

/** A difference between the deployment and what it should be. */
export type Finding = { text: string } & (
  | {
      /** The next action in words, such as "create the database". */
      action: string;
      apply: () => Promise<void>;
    }
  | {
      /** Instruction for a person, because no API can do it or because it needs a decision. */
      advice: string;
    }
);

/** One part of a set-up. A check only reads. */
export interface Step {
  title: string;
  check: (target: Target) => Promise<Finding[]>;
}
