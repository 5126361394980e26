import type { FallbackStatus, StatusTexts } from '../http/statuses.ts'
import { englishNotices, englishScreens } from './english.ts'
import type { englishActions } from './englishActions.ts'
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

/** All texts of the core. `{host}`, `{digest}`, `{status}` and `{heading}` are placeholders. */
export type ScreenTexts = Readonly<typeof englishScreens> & {
  readonly notices: NoticeTexts
  /**
   * Texts for those statuses for which an app can have a file. The English ones are in
   * `english.ts`.
   */
  readonly fallbacks: { readonly [Status in FallbackStatus]?: Partial<StatusTexts> }
  readonly http: Readonly<Record<number, Partial<StatusTexts>>>
  /** The app's own texts about actions. The English ones load with the code for actions. */
  readonly actions: Partial<ActionTexts>
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
  return mergeTexts(base, overrides)
}

/** Replaces the placeholders in a text, except those without a value. */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : placeholder,
  )
}

/** Formats a size limit, rounded down, so that a file of the displayed size is accepted. */
export function sizeText(bytes: number): string {
  const [unit, size] = bytes >= 1_000_000 ? ['MB', 1_000_000] : ['kB', 1_000]
  return bytes < 1_000 ? `${bytes} bytes` : `${Math.floor((bytes / size) * 10) / 10} ${unit}`
}

/** The core's texts in one language. */
export type ScreenLocale = LocalTexts<ScreenTexts>

export const english: ScreenLocale = { lang: 'en', dir: 'ltr', texts: screenTexts() }

export function createLocale(lang: string, overrides: ScreenTextOverrides): ScreenLocale {
  return { lang, dir: directionOf(lang), texts: screenTexts(overrides) }
}
