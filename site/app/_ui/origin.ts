/**
 * Origin of the site, for absolute URLs that crawlers read. `null` for a build that isn't published,
 * because such a build doesn't know the port at which it will be served.
 */
export const origin: string | null = import.meta.env.PUBLIC_SITE_ORIGIN ?? null
