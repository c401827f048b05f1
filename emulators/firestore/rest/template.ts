/** A path of an HTTP annotation, such as `/v1/{parent=projects/*}/{collection_id}`, ready to match. */
export interface PathTemplate {
  readonly pattern: RegExp;
  /** Field paths, one for each group of the pattern. */
  readonly fields: readonly string[];
}

const PART = /\{([^=}]+)(?:=([^}]+))?\}|\*\*|\*|[^{*]+/g;

/**
 * Compiles the syntax of google.api.http: https://github.com/googleapis/googleapis/blob/master/google/api/http.proto
 */
export function compileTemplate(template: string): PathTemplate {
  const fields: string[] = [];
  const pattern = template.replace(PART, (part: string, field: string | undefined, shape = '*') => {
    if (field === undefined) return escape(part);
    fields.push(field);
    return `(${wildcards(shape as string)})`;
  });
  return { pattern: new RegExp(`^${pattern}$`), fields };
}

/** `*` is one segment; a trailing `**` any number of them, or none. */
const wildcards = (shape: string): string =>
  shape
    .split('/')
    .map((segment) => (segment === '**' ? '(?:/.+)?' : `/${segment === '*' ? '[^/]+' : escape(segment)}`))
    .join('')
    .slice(1);

const escape = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
