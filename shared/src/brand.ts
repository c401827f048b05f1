import brandJson from '../brand.json' with { type: 'json' };

/** The name and look of the app, in its mail, on its pages and in its API document. Edit `shared/brand.json`. */
export interface Brand {
  /** The name of the product. */
  name: string;
  /** One sentence about the product, for search engines and in the API document. */
  description: string | null;
  /** The color of buttons and links as `#rrggbb`. It must be readable on a card. `palette.ts` derives the others. */
  accent: { light: string; dark: string };
  /**
   * Address of a picture, at least 80 pixels high, which is shown 40 pixels high in mail and 28 pixels high on pages
   * instead of the name. The policy in firebase.json must allow its origin for pictures.
   */
  logoUrl: string | null;
  /** A page, or `mailto:` with an address. */
  supportUrl: string | null;
  termsUrl: string | null;
  privacyUrl: string | null;
  /** The sender in one line, at the end of each mail. Some countries require it. */
  postalAddress: string | null;
}

export const BRAND: Brand = brandJson;
