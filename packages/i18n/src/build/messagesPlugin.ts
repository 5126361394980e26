import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type EnvironmentModuleNode, normalizePath, type Plugin, type ViteDevServer } from 'vite'
import { defaultLocaleOf } from '../shared/config.ts'
import { compileMessages, MessageError, messageFile, readMessages } from './messageFiles.ts'
import type { ReadOptions } from './readOptions.ts'
import { typesFile, typesFileName } from './typesFile.ts'

const configId = '\0virtual:waymark-i18n/config'
const messagesId = '\0virtual:waymark-i18n/messages'

/**
 * Provides the options and the compiled messages as modules, and writes the types of the messages.
 */
export function messagesPlugin({ config, folder }: ReadOptions): Plugin {
  let root = ''
  const absoluteFolder = () => path.resolve(root, folder)
  const defaultLocale = defaultLocaleOf(config)

  function writeTypes(): void {
    if (!existsSync(path.join(root, 'tsconfig.json'))) return
    const text = typesFile(config.locales, readMessages(absoluteFolder(), defaultLocale), folder)
    const file = path.join(root, typesFileName)
    const written = existsSync(file) ? readFileSync(file, 'utf8') : null
    if (written !== text) writeFileSync(file, text)
  }

  return {
    name: 'waymark-i18n:messages',
    configResolved(resolved) {
      root = resolved.root
    },
    buildStart() {
      if (this.environment.name !== 'rsc') return
      try {
        writeTypes()
      } catch (error) {
        if (error instanceof MessageError) this.error(error.message)
        throw error
      }
    },
    resolveId: {
      filter: { id: /^virtual:waymark-i18n\/(?:config|messages)$/ },
      handler: (id) => `\0${id}`,
    },
    load: {
      filter: { id: /^\0virtual:waymark-i18n\/(?:config|messages)$/ },
      handler(id) {
        if (id === configId) return `export const config = ${JSON.stringify(config)}\n`
        const lines = config.locales.map((locale) => {
          this.addWatchFile(messageFile(absoluteFolder(), locale))
          const compiled = compileMessages(absoluteFolder(), locale, defaultLocale)
          // A string is parsed faster than an object, and only once the language is needed.
          return `  ${JSON.stringify(locale)}: ${JSON.stringify(JSON.stringify(compiled))},\n`
        })
        return `export const messages = {\n${lines.join('')}}\n`
      },
    },
    configureServer(server) {
      const isMessages = (file: string) =>
        normalizePath(file).startsWith(`${normalizePath(absoluteFolder())}/`)
      const update = (file: string) => {
        if (isMessages(file)) void updateMessages(server, writeTypes)
      }
      server.watcher.add(absoluteFolder())
      for (const event of ['add', 'change', 'unlink']) server.watcher.on(event, update)
    },
  }
}

/** Loads changed messages, and lets open pages fetch their data again, which keeps their state. */
async function updateMessages(
  { environments, config }: ViteDevServer,
  writeTypes: () => void,
): Promise<void> {
  const { rsc, client } = environments
  try {
    writeTypes()
    const module = rsc?.moduleGraph.getModuleById(messagesId)
    if (!rsc || !module) return
    await rsc.reloadModule(module as EnvironmentModuleNode)
    client?.hot.send('rsc:update', { file: messagesId })
  } catch (error) {
    config.logger.error(String(error))
  }
}
