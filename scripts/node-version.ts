const REQUIRED_MAJOR = 24;

/** @throws Error with a one-line message when this runs on an older Node than the deployed functions. */
export function requireNode24(version: string = process.versions.node): void {
  if (Number.parseInt(version, 10) < REQUIRED_MAJOR) {
    throw new Error(
      `This needs Node ${REQUIRED_MAJOR}, not ${version}: run it as an npm script, which brings its own.`,
    );
  }
}
