export const ADMIN = {};
