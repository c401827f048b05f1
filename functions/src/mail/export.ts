import { nothing, readAll, type ExportParts } from '../personal-data/export-parts.ts';
import { mailToLegacy } from './outbox.store.ts';

export const MAIL_EXPORT: ExportParts = {
  mail: {
    many: (firestore, { verifiedEmail }) =>
      verifiedEmail === undefined
        ? nothing()
        : readAll(mailToLegacy(firestore, verifiedEmail), ({ message, delivery }) => ({
            to: verifiedEmail,
            message,
            state: delivery?.state ?? null,
            writtenAt: delivery?.startTime ?? null,
          })),
  },
};
