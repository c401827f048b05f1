import type { PortalConfiguration } from '../../objects.ts';

type Features = PortalConfiguration['features'];

/** The features of a configuration that sets none. */
export const NO_FEATURES: Features = {
  customer_update: { allowed_updates: [], enabled: false },
  invoice_history: { enabled: false },
  payment_method_update: { enabled: false, payment_method_configuration: null },
  subscription_cancel: {
    cancellation_reason: { enabled: false, feedback_options: null, options: [] },
    enabled: false,
    mode: 'at_period_end',
    proration_behavior: 'none',
  },
  subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
  subscription_update: {
    billing_cycle_anchor: null,
    default_allowed_updates: [],
    enabled: false,
    proration_behavior: 'none',
    schedule_at_period_end: { conditions: [] },
    trial_update_behavior: 'end_trial',
  },
};

/** A configuration as it is stored. */
export function newConfiguration(
  given: Pick<PortalConfiguration, 'id' | 'created' | 'features'> & Partial<PortalConfiguration>,
): PortalConfiguration {
  return {
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    default_return_url: null,
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: {},
    name: null,
    updated: given.created,
    ...given,
  };
}

/**
 * The default portal: every feature, and every active price to choose from (its products are null). A change of plan
 * costs nothing before the renewal and ends a trial. Stripe documents these defaults.
 */
export function defaultConfiguration(created: number): PortalConfiguration {
  return newConfiguration({
    id: 'bpc_local',
    created,
    features: {
      ...NO_FEATURES,
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true, payment_method_configuration: null },
      subscription_cancel: { ...NO_FEATURES.subscription_cancel, enabled: true },
      subscription_update: {
        ...NO_FEATURES.subscription_update,
        default_allowed_updates: ['price', 'quantity'],
        enabled: true,
      },
    },
    is_default: true,
  });
}
