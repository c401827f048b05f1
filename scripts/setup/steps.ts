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

/** All steps of a deployment, ordered so that each step comes after the steps that it needs. */
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
