export const BILLING = {};
