import type { FallbackStatus, StatusCode, StatusTexts } from '../http/statuses.ts'
import { englishNotices, englishScreens } from './english.ts'
import type { englishActions } from './englishActions.ts'
import type { englishFiles } from './englishFiles.ts'
import type { TextStatus } from './englishStatuses.ts'
import type { englishTheme } from './englishTheme.ts'
import { directionOf } from './language.ts'
import {
  type LocalTexts,
  mergeTexts,
  type PackageTextOverrides,
  type PartialTexts,
} from './packageTexts.ts'

/** Texts of notices about slow and failed navigations. */
export type NoticeTexts = Readonly<typeof englishNotices>

/** Texts of notices about server actions. */
export type ActionTexts = Readonly<typeof englishActions>

/** Messages about files that a form doesn't accept. */
export type FileTexts = Readonly<typeof englishFiles>

/** Labels of the theme controls. */
export type ThemeTexts = Readonly<typeof englishTheme>

/** All texts of the core. `{host}`, `{digest}`, `{status}` and `{heading}` are placeholders. */
export type ScreenTexts = Readonly<typeof englishScreens> & {
  readonly notices: NoticeTexts
  /**
   * Texts for those statuses for which an app can have a file. The English ones are in
   * `english.ts`.
   */
  readonly fallbacks: { readonly [Status in FallbackStatus]?: Partial<StatusTexts> }
  /**
   * Texts for each status with a screen. A text in `fallbacks` or `serverError` wins, because it is for a narrower
   * case.
   */
  readonly http: { readonly [Status in StatusCode]?: Partial<StatusTexts> }
  /** The app's own texts about actions. The English ones load with the code for actions. */
  readonly actions: Partial<ActionTexts>
  /** The app's own messages about files. Only the server uses the English ones. */
  readonly files?: Partial<FileTexts>
  /** The app's own labels of the theme controls, which have the English ones as their defaults. */
  readonly theme?: PartialTexts<ThemeTexts>
}

/**
 * Every text of the core in one language. A translation of this type doesn't compile if it lacks a
 * text. Words in braces are placeholders.
 */
export type CompleteTexts = Readonly<typeof englishScreens> & {
  readonly notices: NoticeTexts
  readonly actions: ActionTexts
  readonly files: FileTexts
  readonly theme: ThemeTexts
  readonly http: { readonly [Status in TextStatus]: StatusTexts }
}

/** Replacements for some texts. All others stay English. */
export type ScreenTextOverrides = PartialTexts<ScreenTexts> & {
  /** Replacements for texts of packages in `vite.config.ts`, keyed by package name. */
  readonly packages?: PackageTextOverrides
}

export function screenTexts(overrides: ScreenTextOverrides = {}): ScreenTexts {
  const base: ScreenTexts = {
    ...englishScreens,
    notices: englishNotices,
    fallbacks: {},
    http: {},
    actions: {},
  }
  return mergeTexts(mergeTexts(base, textsOf500(overrides)), overrides)
}

/** Uses the texts of the status 500 for the screen of an error on the server, which has this status. */
export function textsOf500({
  http,
  statusTitle = englishScreens.statusTitle,
}: Pick<ScreenTextOverrides, 'http'> & { readonly statusTitle?: string | undefined }) {
  const serverError = http?.[500] ?? {}
  const { heading } = serverError
  if (heading === undefined) return { serverError }
  return { serverError, serverErrorTitle: fillText(statusTitle, { status: '500', heading }) }
}

/** Replaces the placeholders in a text, except those without a value. */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : placeholder,
  )
}

/** Formats a size limit, rounded down, so that a file of the displayed size is accepted. */
export function sizeText(
  bytes: number,
  { lang, texts: { sizes } }: LocalTexts<Pick<ScreenTexts, 'sizes'>>,
): string {
  if (bytes < 1_000) return fillText(sizes.bytes, { size: String(bytes) })
  const [text, unit] = bytes >= 1_000_000 ? [sizes.megabytes, 1_000_000] : [sizes.kilobytes, 1_000]
  const size = Math.floor((bytes / unit) * 10) / 10
  return fillText(text, { size: size.toLocaleString(lang, { useGrouping: false }) })
}

/** The core's texts in one language. */
export type ScreenLocale = LocalTexts<ScreenTexts>

export const english: ScreenLocale = { lang: 'en', dir: 'ltr', texts: screenTexts() }

export function createLocale(lang: string, overrides: ScreenTextOverrides): ScreenLocale {
  return { lang, dir: directionOf(lang), texts: screenTexts(overrides) }
}
