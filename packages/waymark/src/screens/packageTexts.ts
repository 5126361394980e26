import { isRecord } from '../shared/maps.ts'
import { readDocumentTexts } from '../wire/documentMarks.ts'
import { directionOf, matchLanguage } from './language.ts'

/**
 * The English texts of each package, by package name. A package adds the type of its own texts, so that
 * TypeScript checks what an app writes for them in `screens.ts`:
 *
 * ```ts
 * declare module 'waymark/plugin' {
 *   interface PackageTexts {
 *     'my-package': typeof english
 *   }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: packages extend this interface
export interface PackageTexts {}

/** A table of texts, and of groups of texts, by name. */
export type TextTable = { readonly [name: string]: string | TextTable }

/** Replacements for some of a table's texts. */
export type PartialTexts<Table> = {
  readonly [Name in keyof Table]?: Table[Name] extends string ? string : PartialTexts<Table[Name]>
}

/** Replacements for packages' texts, by package name. */
export type PackageTextOverrides = keyof PackageTexts extends never
  ? Readonly<Record<string, never>>
  : { readonly [Name in keyof PackageTexts]?: PartialTexts<PackageTexts[Name]> }

/** Translations that packages include, by package name, then by language. */
export type TextsByPackage = Readonly<Record<string, Readonly<Record<string, TextTable>>>>

/** Texts with their language and writing direction. */
export type LocalTexts<Texts> = {
  /** A BCP 47 tag, such as `de` or `pt-BR`. */
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly texts: Texts
}

/**
 * Reads a package's texts in the language that the server chose for the visitor: English, or a
 * language in the `texts` of the app's `screens.ts`. The `lang` attribute of `<html>` makes no
 * difference. The app's own text comes first, then the package's translation, then English. Only
 * works in browsers, because a server renders pages in several languages at once.
 * @param name the package's name, as in `definePackage()`
 * @param english the package's English texts, or some groups of them
 * @param from the page's document, or a document parsed by `DOMParser`
 */
export function readPackageTexts<
  Name extends keyof PackageTexts,
  Texts extends Partial<PackageTexts[Name]>,
>(name: Name, english: Texts, from: Document = document): LocalTexts<Texts> {
  const written = readDocumentTexts(from)
  const packages = written?.texts.packages
  const translated = isRecord(packages) ? packages[name] : undefined
  const isTranslated =
    isRecord(translated) && Object.keys(english).some((key) => Object.hasOwn(translated, key))
  if (!written || !isTranslated) return { lang: 'en', dir: 'ltr', texts: english }
  const { lang } = written
  return { lang, dir: directionOf(lang), texts: mergeTexts(english, translated) }
}

/**
 * Returns the package texts that a document must contain. Browsers load English texts with the
 * code, so only translations and the app's replacements are included.
 * @param lang a language in `texts` of the app's `screens.ts`
 * @param overrides the app's replacements for this language
 */
export function documentPackageTexts(
  lang: string,
  overrides: Readonly<Record<string, unknown>>,
  packages: TextsByPackage,
): Readonly<Record<string, object>> {
  const texts: Record<string, object> = {}
  for (const [name, tables] of Object.entries(packages)) {
    const match = matchLanguage(lang, Object.keys(tables)) ?? 'en'
    const translated = match === 'en' ? {} : (tables[match] ?? {})
    const merged = mergeTexts(translated, overrides[name] ?? {})
    if (Object.keys(merged).length > 0) texts[name] = merged
  }
  return texts
}

/** Returns `base` with the texts in `changes` replaced, including texts inside groups. */
export function mergeTexts<Base extends object>(base: Base, changes: object): Base {
  const texts: object = base
  const merged: Record<string, unknown> = { ...texts }
  for (const [key, change] of Object.entries(changes)) {
    if (change === undefined) continue
    const before = merged[key]
    merged[key] = isRecord(before) && isRecord(change) ? mergeTexts(before, change) : change
  }
  // `changes` is structured like `base`, and so is the result.
  return merged as Base
}
