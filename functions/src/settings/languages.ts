/** The languages of mail and of the pages that the backend answers with. The first is the default. */
export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];
