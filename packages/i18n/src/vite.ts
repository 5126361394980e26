import type { Plugin } from 'vite'
import { definePackage } from 'waymark/plugin'
import { createChecks } from './build/checksPlugin.ts'
import { compiledIntlPlugin } from './build/compiledIntlPlugin.ts'
import { messagesPlugin } from './build/messagesPlugin.ts'
import { readOptions } from './build/readOptions.ts'
import { usedMessagesPlugin } from './build/usedMessagesPlugin.ts'
import type { I18nOptions } from './shared/config.ts'

export type { I18nOptions, Pathnames } from './shared/config.ts'

/** Vite plugins for an app in several languages, whose pages are below `app/[locale]`. */
export function i18n(options: I18nOptions): Plugin[] {
  const read = readOptions(options)
  const { plugin, checkBuild } = createChecks(read)
  return [
    definePackage('@waymark/i18n', () => ({
      server: { module: new URL('./server/createPart.js', import.meta.url), name: 'createPart' },
      ...(read.checks === 'off' ? {} : { checkBuild }),
    })),
    messagesPlugin(read),
    plugin,
    usedMessagesPlugin(),
    compiledIntlPlugin(),
  ]
}
