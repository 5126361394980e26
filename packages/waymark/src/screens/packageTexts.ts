import { isRecord } from '../shared/maps.ts'
import { readDocumentTexts } from '../wire/documentMarks.ts'
import { directionOf, matchLanguage } from './language.ts'

/**
 * The English texts of each package, by its name. A package adds its own, so that the `screens.ts` of
 * an app that lists the package is checked:
 *
 * ```ts
 * declare module 'waymark/plugin' {
 *   interface PackageTexts {
 *     'my-package': typeof english
 *   }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: packages add to it
export interface PackageTexts {}

/** Texts by name, or groups of them. */
export type TextTable = { readonly [name: string]: string | TextTable }

/** Some texts of a table; the others stay as they are. */
export type PartialTexts<Table> = {
  readonly [Name in keyof Table]?: Table[Name] extends string ? string : PartialTexts<Table[Name]>
}

/** Some texts of packages, by the name of the package. */
export type PackageTextOverrides = keyof PackageTexts extends never
  ? Readonly<Record<string, never>>
  : { readonly [Name in keyof PackageTexts]?: PartialTexts<PackageTexts[Name]> }

/** The texts that packages bring: for each package a table by language. */
export type TextsByPackage = Readonly<Record<string, Readonly<Record<string, TextTable>>>>

/** Texts with the language and the direction in which they are written. */
export type LocalTexts<Texts> = {
  /** BCP 47: `de`, `pt-BR`. */
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly texts: Texts
}

/**
 * Reads the texts of a package in the language that the server has chosen for the visitor, which is
 * English or one of `texts` in the app's `screens.ts`. The attribute `lang` of `<html>` does not count. A
 * text that the app has replaced wins over the package's own one in this language; a text that neither
 * of them has is English. The function works in browsers only, because a server renders pages in several
 * languages at once.
 * @param name of the package, as `definePackage()` has it
 * @param english the package's English texts, or some groups of them
 * @param from the page's document, or one that `DOMParser` has parsed
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
 * Lists the texts that a document needs for its packages. English texts that the app has not replaced
 * are left out, because they are part of the code that browsers load.
 * @param lang one of `texts` in the app's `screens.ts`
 * @param overrides what the app has replaced for this language
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

/** @returns `base` with the texts of `changes` in place, group by group */
export function mergeTexts<Base extends object>(base: Base, changes: object): Base {
  const texts: object = base
  const merged: Record<string, unknown> = { ...texts }
  for (const [key, change] of Object.entries(changes)) {
    if (change === undefined) continue
    const before = merged[key]
    merged[key] = isRecord(before) && isRecord(change) ? mergeTexts(before, change) : change
  }
  // The tables of changes have texts where `base` has some.
  return merged as Base
}
