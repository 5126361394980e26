// The names of `index.ts` for server components.
export { LanguageLink } from './client/LanguageLink.tsx'
export { Link } from './server/ServerLink.tsx'
export {
  locales,
  useFormatter,
  useHref,
  useLocale,
  useNow,
  useTimeZone,
  useTranslations,
} from './server/serverHooks.ts'
export { directionOf, nameOf } from './shared/direction.ts'
