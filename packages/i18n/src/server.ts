export { alternates, type SisterParams, sitemapEntries } from './server/alternates.ts'
export {
  type GetOptions,
  getFormatter,
  getLocale,
  getTranslations,
  href,
  htmlProps,
  localeParams,
  redirect,
} from './server/request.ts'
