declare module 'virtual:waymark-i18n/config' {
  type I18nConfig = import('./shared/config.ts').I18nConfig

  export const config: I18nConfig
}

declare module 'virtual:waymark-i18n/messages' {
  /** Compiled messages as JSON, by language. */
  export const messages: Readonly<Record<string, string>>
}

declare module 'virtual:waymark-i18n/used' {
  type UsedByFile = import('./shared/usedMessages.ts').UsedByFile

  /** `null` in development. */
  const used: UsedByFile | null
  export default used
}
