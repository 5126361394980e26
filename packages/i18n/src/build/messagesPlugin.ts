import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Logger, normalizePath, type Plugin } from 'vite'
import { defaultLocaleOf } from '../shared/config.ts'
import { checkMessages } from './checkMessages.ts'
import { type MessageFile, readMessageFile, withFallback } from './messageFiles.ts'
import { problemLine } from './problem.ts'
import type { ReadOptions } from './readOptions.ts'
import { typesFile, typesFileName } from './typesFile.ts'

const configId = '\0virtual:waymark-i18n/config'

/**
 * Provides the options and the compiled messages as modules, and writes the types of the messages.
 */
export function messagesPlugin({ config, folder, checks }: ReadOptions): Plugin {
  let root = ''
  const absoluteFolder = () => path.resolve(root, folder)
  const readAll = () => config.locales.map((locale) => readMessageFile(absoluteFolder(), locale))
  const devKey = `waymark-i18n:${randomUUID()}`
  const devMessages: Record<string, string> = {}

  const reported = new Set<string>()

  function writeTypes(): void {
    if (!existsSync(path.join(root, 'tsconfig.json'))) return
    const { table } = readMessageFile(absoluteFolder(), defaultLocaleOf(config))
    const text = typesFile(config.locales, table, folder)
    const file = path.join(root, typesFileName)
    const written = existsSync(file) ? readFileSync(file, 'utf8') : null
    if (written !== text) writeFileSync(file, text)
  }

  /** Updates the messages of the dev server, and logs each new problem once. */
  function updateDevMessages(logger: Logger): void {
    const files = readAll()
    Object.assign(devMessages, compiledJson(files))
    if (checks === 'off') return
    const problems = checkMessages(files, root).map((problem) => problemLine(problem, root))
    for (const each of problems) {
      if (!reported.has(each)) logger.warn(each)
      reported.add(each)
    }
  }

  return {
    name: 'waymark-i18n:messages',
    configResolved(resolved) {
      root = resolved.root
      try {
        // Also without a build, for `waymark types`.
        writeTypes()
      } catch {
        // Loading the messages reports the error.
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
        if (this.environment.mode === 'build') {
          return `export const messages = ${JSON.stringify(compiledJson(readAll()))}\n`
        }
        // In development, the server reads this object, so that changed messages don't replace any
        // module. The server's modules run in this process.
        updateDevMessages(this.environment.logger)
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
          updateDevMessages(resolved.logger)
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

/** Returns the compiled messages. They are JSON, because a string is parsed only once it is needed. */
function compiledJson(files: readonly MessageFile[]): Record<string, string> {
  const [base] = files
  if (!base) return {}
  return Object.fromEntries(
    files.map((each) => [each.locale, JSON.stringify(withFallback(each, base))]),
  )
}
