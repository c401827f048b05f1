import type Stripe from 'stripe';
import type { PlansAndExtras } from '../../functions/src/settings/extras.ts';
import type { Provider } from '../../shared/src/sign-in-providers.ts';
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
  /** All settings as text: those above, those of the files, and the defaults. Without secrets. */
  values: Readonly<Record<string, string>>;
  /** The folder of that file. */
  settingsFolder: string;
  /** Secrets that the operator gave, by their names. Secrets that Secret Manager already has may be missing. */
  secrets: Readonly<Record<string, string>>;
  protection: Protection;
  providers: readonly Provider[];
  /** Whether Authentication may be set up with Identity Platform, which has a price. */
  allowsIdentityPlatform: boolean;
  /** Everything that is sold. */
  offered: PlansAndExtras;
  google: Google;
  /** Undefined if neither the operator nor Secret Manager has a secret key. */
  stripe: Stripe | undefined;
  /** True for a check that follows a deployment: it waits for what Google still builds. */
  isAfterDeploy: boolean;
  now: () => Date;
  /** Waits so many milliseconds. */
  pause: (milliseconds: number) => Promise<unknown>;
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
  | {
      /** For information only: nothing is to be done. */
      isNote: true;
    }
);

/** One part of a set-up, which may need only a part of the target. A check only reads. */
export interface Step<Needed = Target> {
  title: string;
  check: (target: Needed) => Promise<Finding[]>;
}
