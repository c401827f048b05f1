export const ACCOUNT = {};
