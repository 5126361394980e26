/** Origin of the site, for absolute URLs that crawlers read. */
export const origin: string = import.meta.env.PUBLIC_SITE_ORIGIN ?? 'http://localhost:3000'
