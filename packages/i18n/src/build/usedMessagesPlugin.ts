import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin, parseAstAsync } from 'vite'
import type { UsedByFile, UsedMessages } from '../shared/usedMessages.ts'
import { findUsedMessages, type ModuleUse } from './findUsedMessages.ts'
import { lineAt, shortPath } from './problem.ts'
import { reach } from './reach.ts'

const ownFolder = normalizePath(fileURLToPath(new URL('..', import.meta.url)))
const usedId = 'virtual:waymark-i18n/used'
const fileName = '__waymark_i18n.js'

/**
 * Collects the messages that the client components of each route file use. The result is known
 * only after the bundles are written, so it is a file next to the server's bundle.
 */
export function usedMessagesPlugin(): Plugin {
  let root = ''
  let serverFolder: string | null = null
  /** Modules that each route file reaches on the server, by file. */
  let reached = new Map<string, readonly string[]>()
  const uses = new Map<string, ModuleUse>()
  return {
    name: 'waymark-i18n:used-messages',
    sharedDuringBuild: true,
    configResolved(config) {
      root = config.root
    },
    resolveId: {
      filter: { id: /^virtual:waymark-i18n\/used$/ },
      handler(source) {
        const isBuilt = this.environment.mode === 'build'
        return isBuilt ? { id: source, external: true } : `\0${source}`
      },
    },
    load: {
      filter: { id: /^\0virtual:waymark-i18n\/used$/ },
      handler: () => 'export default null\n',
    },
    transform: {
      order: 'pre',
      filter: { id: /\.[cm]?[jt]sx?(?:\?|$)/, code: /@waymark\/i18n|use-intl\/react/ },
      async handler(code, id) {
        if (this.environment.name !== 'client' || this.environment.mode !== 'build') return
        // Components of this package need the language, but no messages.
        if (id.startsWith(ownFolder)) return void uses.set(id, { keys: [], computedAt: [] })
        const found = findUsedMessages(await parseAstAsync(code, { lang: languageOf(id) }))
        if (!found) return
        uses.set(id, found)
        const [at] = found.computedAt
        if (at === undefined) return
        const file = shortPath(id, root)
        this.info(
          `${file}:${lineAt(code, at)} computes the key of a message, so browsers get ${found.keys === true ? 'all messages' : 'the whole group'}.`,
        )
      },
    },
    renderChunk: {
      filter: { code: /virtual:waymark-i18n\/used/ },
      handler(code, chunk) {
        const relative = path.posix.relative(path.posix.dirname(chunk.fileName), fileName)
        const specifier = relative.startsWith('.') ? relative : `./${relative}`
        return { code: code.replaceAll(usedId, () => specifier), map: null }
      },
    },
    async writeBundle({ dir }) {
      const { name } = this.environment
      const importsOf = (id: string) => {
        const info = this.getModuleInfo(id)
        return info ? [...info.importedIds, ...info.dynamicallyImportedIds] : []
      }
      if (name === 'rsc' && dir !== undefined) {
        serverFolder = dir
        const routes = this.getModuleInfo('\0virtual:waymark/routes')?.dynamicallyImportedIds ?? []
        reached = new Map(routes.map((id) => [shortPath(id, root), reach([id], importsOf)]))
      }
      if (name !== 'client' || serverFolder === null) return
      const used: Record<string, UsedMessages> = {}
      for (const [file, ids] of reached) {
        const found = joinUses(reach(ids, importsOf).flatMap((id) => uses.get(id) ?? []))
        if (found) used[file] = found
      }
      await writeFile(path.join(serverFolder, fileName), exporting(used))
    },
  }
}

/** A type assertion such as `<T>value` is an element in the syntax of `.tsx`. */
function languageOf(id: string): 'ts' | 'tsx' | 'jsx' {
  const [, type = 'jsx'] = /\.[cm]?([jt]sx?)(?:\?|$)/.exec(id) ?? []
  return type === 'ts' || type === 'tsx' ? type : 'jsx'
}

function exporting(used: UsedByFile): string {
  return `export default ${JSON.stringify(used)}\n`
}

/** @returns `null` if no module uses the package */
function joinUses(found: readonly ModuleUse[]): UsedMessages | null {
  if (found.length === 0) return null
  const keys = new Set<string>()
  for (const use of found) {
    if (use.keys === true) return true
    for (const key of use.keys) keys.add(key)
  }
  return [...keys].sort()
}
