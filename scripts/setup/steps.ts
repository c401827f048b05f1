import {
  addressStep,
  functionsStep,
  indexesStep,
  reconciliationStep,
  rulesStep,
  schedulesStep,
} from './steps/deployed.ts';
import { monitoringStep } from './steps/monitoring.ts';
import { bucketStep, firestoreStep, signInStep } from './steps/places.ts';
import { backupsStep, deletedFilesStep } from './steps/protection.ts';
import { apisStep, billingStep, roleStep } from './steps/project.ts';
import { secretsStep, settingsStep } from './steps/settings.ts';
import { portalStep, webhookStep } from './steps/stripe-account.ts';
import { catalogueStep } from './steps/stripe-catalogue.ts';
import type { Step } from './step.ts';

/** Everything that a deployment needs, in an order in which each step finds what it builds on. */
export const SETUP_STEPS: readonly Step[] = [
  settingsStep,
  apisStep,
  billingStep,
  firestoreStep,
  bucketStep,
  backupsStep,
  deletedFilesStep,
  signInStep,
  roleStep,
  secretsStep,
  catalogueStep,
  portalStep,
  webhookStep,
  monitoringStep,
  reconciliationStep,
];

/** Everything that a running deployment is checked for. */
export const DOCTOR_STEPS: readonly Step[] = [
  ...SETUP_STEPS,
  functionsStep,
  rulesStep,
  indexesStep,
  addressStep,
  schedulesStep,
];
