import type { Step } from './step.ts';
import { addressStep, rulesStep } from './steps/deployed.ts';
import { functionsStep, secretVersionsStep } from './steps/functions.ts';
import { indexesStep } from './steps/indexes.ts';
import { monitoringStep } from './steps/monitoring.ts';
import { bucketStep, firestoreStep } from './steps/places.ts';
import { billingStep, freeApisStep, paidApisStep } from './steps/project.ts';
import { backupsStep, deletedFilesStep } from './steps/protection.ts';
import { queuesStep } from './steps/queues.ts';
import { rolesStep } from './steps/roles.ts';
import { reconciliationStep, schedulesStep } from './steps/schedules.ts';
import { secretsStep } from './steps/secrets.ts';
import { settingsStep } from './steps/settings.ts';
import { signInStep } from './steps/sign-in.ts';
import { catalogueStep } from './steps/stripe-catalogue.ts';
import { portalStep } from './steps/stripe-portal.ts';
import { taxStep } from './steps/stripe-tax.ts';
import { webhookStep } from './steps/stripe-webhook.ts';
import { firestoreTriggersStep } from './steps/triggers.ts';
import { webAppStep } from './steps/web-app.ts';

/** All steps of a deployment, ordered so that each step comes after the steps that it needs. */
export const SETUP_STEPS: readonly Step[] = [
  settingsStep,
  freeApisStep,
  billingStep,
  paidApisStep,
  firestoreStep,
  bucketStep,
  backupsStep,
  deletedFilesStep,
  signInStep,
  webAppStep,
  rolesStep,
  secretsStep,
  catalogueStep,
  portalStep,
  webhookStep,
  secretVersionsStep,
  monitoringStep,
  reconciliationStep,
];

/** Everything that a running deployment is checked for. */
export const DOCTOR_STEPS: readonly Step[] = [
  ...SETUP_STEPS,
  functionsStep,
  firestoreTriggersStep,
  rulesStep,
  indexesStep,
  addressStep,
  taxStep,
  schedulesStep,
  queuesStep,
];
