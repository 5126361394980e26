const separator = '.'

/**
 * Returns the build id that a variant's pages have. To a browser, a page of another variant is like
 * a page of another build: it needs code that the document doesn't have.
 */
export function variantBuildId(buildId: string, variant: string): string {
  return buildId + separator + variant
}

/** Returns the id of the whole build, which is the same for all of its variants. */
export function wholeBuildId<Id extends string | null>(buildId: Id): Id | string {
  return buildId === null ? buildId : (buildId.split(separator, 1)[0] as string)
}
