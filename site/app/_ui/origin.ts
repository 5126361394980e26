/** Origin of the site: absolute URLs for crawlers are built with it. */
export const origin: string = import.meta.env.PUBLIC_SITE_ORIGIN ?? 'http://localhost:3000'
