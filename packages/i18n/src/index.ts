export { Link } from './client/ClientLink.tsx'
export {
  locales,
  useFormatter,
  useHref,
  useLocale,
  useNow,
  useTimeZone,
  useTranslations,
} from './client/clientHooks.ts'
export { LanguageLink, type LanguageLinkProps } from './client/LanguageLink.tsx'
export { directionOf, nameOf } from './shared/direction.ts'
export type { LocalHref } from './shared/localHref.ts'
export type { LocalLinkProps } from './shared/localLink.ts'
export type {
  AppI18n,
  Formatter,
  FormatterOptions,
  Locale,
  Messages,
  Namespace,
  Translate,
} from './shared/types.ts'
