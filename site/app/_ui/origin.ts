/** Where the site is served from: what crawlers are told is written with it, at build. */
export const origin: string = import.meta.env.PUBLIC_SITE_ORIGIN ?? 'http://localhost:3000'
