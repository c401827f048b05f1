export const SIGN_IN = {};
