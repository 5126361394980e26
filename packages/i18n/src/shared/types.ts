import type { createFormatter, createTranslator, NamespaceKeys, NestedKeyOf } from 'use-intl/core'

/**
 * The app's languages and messages. The generated file `waymark-i18n.d.ts` adds them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: an app's file can add to an interface only
export interface AppI18n {}

// biome-ignore lint/suspicious/noExplicitAny: without generated types, every message exists
type AnyMessages = Record<string, any>

/** The messages of the default language. */
export type Messages = AppI18n extends { messages: infer Known extends object }
  ? Known
  : AnyMessages

/** One of the app's languages. */
export type Locale = AppI18n extends { locale: infer Known extends string } ? Known : string

/** A group of messages, such as `home` or `home.hero`. */
export type Namespace = NamespaceKeys<Messages, NestedKeyOf<Messages>>

/**
 * Returns messages: `t('title')`, or with values, `t('items', { count: 2 })`. Messages are compiled, so
 * there is no raw text.
 */
export type Translate<Name extends Namespace = never> = ReturnType<
  typeof createTranslator<Messages, Name>
> & { readonly raw: never }

/** Formats numbers, dates and lists. */
export type Formatter = ReturnType<typeof createFormatter>

export type FormatterOptions = {
  /**
   * IANA name of the time zone in which dates are written, such as the one in a visitor's settings.
   * Default: the option `timeZone` of the app
   */
  readonly timeZone?: string | undefined
}
