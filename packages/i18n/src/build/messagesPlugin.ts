import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { defaultLocaleOf } from '../shared/config.ts'
import { compileMessages, MessageError, readMessages } from './messageFiles.ts'
import type { ReadOptions } from './readOptions.ts'
import { typesFile, typesFileName } from './typesFile.ts'

const configId = '\0virtual:waymark-i18n/config'

/**
 * Provides the options and the compiled messages as modules, and writes the types of the messages.
 */
export function messagesPlugin({ config, folder }: ReadOptions): Plugin {
  let root = ''
  const absoluteFolder = () => path.resolve(root, folder)
  const defaultLocale = defaultLocaleOf(config)
  const devKey = `waymark-i18n:${randomUUID()}`
  const devMessages: Record<string, string> = {}

  /** Compiles the messages. They are JSON, because a string is parsed only once it is needed. */
  function compileAll(): Record<string, string> {
    return Object.fromEntries(
      config.locales.map((locale) => [
        locale,
        JSON.stringify(compileMessages(absoluteFolder(), locale, defaultLocale)),
      ]),
    )
  }

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
        const compiled = compileAll()
        if (this.environment.mode === 'build') {
          return `export const messages = ${JSON.stringify(compiled)}\n`
        }
        // In development, the server reads this object, so that changed messages don't replace any
        // module. The server's modules run in this process.
        Object.assign(devMessages, compiled)
        return `export const messages = globalThis[Symbol.for(${JSON.stringify(devKey)})]\n`
      },
    },
    configureServer(server) {
      const isMessages = (file: string) =>
        normalizePath(file).startsWith(`${normalizePath(absoluteFolder())}/`)
      const { environments, config: resolved } = server
      function update(file: string): void {
        // An empty file is still being written, and another event follows.
        if (!isMessages(file) || (existsSync(file) && statSync(file).size === 0)) return
        try {
          writeTypes()
          Object.assign(devMessages, compileAll())
          // Open pages fetch their data again, which keeps their state.
          environments.client?.hot.send('rsc:update', { file })
        } catch (error) {
          resolved.logger.error(String(error))
        }
      }
      Object.assign(globalThis, { [Symbol.for(devKey)]: devMessages })
      server.watcher.add(absoluteFolder())
      for (const event of ['add', 'change', 'unlink']) server.watcher.on(event, update)
    },
  }
}
