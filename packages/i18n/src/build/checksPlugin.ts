import path from 'node:path'
import type { Plugin } from 'vite'
import type { CheckBuild } from 'waymark/plugin'
import { checkMessages } from './checkMessages.ts'
import { checkPages } from './checkPages.ts'
import { checkPathnames } from './checkPathnames.ts'
import { readMessageFile } from './messageFiles.ts'
import { findLine, lineAt, type Problem, problemLine, shortPath } from './problem.ts'
import { reach } from './reach.ts'
import type { ReadOptions } from './readOptions.ts'

/** A module that reads the header `accept-language`. */
type HeaderRead = { readonly file: string; readonly line: number; page: string | null }

const headerRead = /\.get\(\s*['"`]accept-language['"`]/i
const pageFile = /\/\[locale\]\/(?:.*\/)?(?:page|layout|template|default|not-found)\.[cm]?[jt]sx?$/

/** Checks a build, with what the plugin sees while the app is bundled. */
export function createChecks({ config, folder, checks }: ReadOptions): {
  readonly plugin: Plugin
  readonly checkBuild: CheckBuild
} {
  let configFile: string | undefined
  const reads = new Map<string, HeaderRead>()

  const plugin: Plugin = {
    name: 'waymark-i18n:checks',
    sharedDuringBuild: true,
    configResolved(resolved) {
      configFile = resolved.configFile
    },
    transform: {
      order: 'pre',
      filter: { id: { include: /\.[cm]?[jt]sx?$/, exclude: /node_modules/ }, code: headerRead },
      handler(code, id) {
        if (this.environment.mode !== 'build' || this.environment.name !== 'rsc') return
        reads.set(id, { file: id, line: lineAt(code, code.search(headerRead)), page: null })
      },
    },
    buildEnd() {
      if (this.environment.name !== 'rsc') return
      const importersOf = (id: string) => {
        const info = this.getModuleInfo(id)
        return info ? [...info.importers, ...info.dynamicImporters] : []
      }
      for (const [id, read] of reads) read.page = reach([id], importersOf).find(isPage) ?? null
    },
  }

  const checkBuild: CheckBuild = async (build) => {
    const { root } = build
    const files = config.locales.map((locale) =>
      readMessageFile(path.resolve(root, folder), locale),
    )
    const pathnames = checkPathnames(config, build)
    const headerReads = [...reads.values()]
    const problems = [
      checkMessages(files, root),
      checkPages(config, build),
      pathnames.map(({ entry, text }) => inConfig(configFile, entry, text)),
      headerReads.flatMap((read) => headerProblem(read, root)),
    ].flat()
    const lines = problems.map((problem) => problemLine(problem, root))
    return { problems: lines, failsBuild: checks === 'error' }
  }

  return { plugin, checkBuild }
}

function isPage(id: string): boolean {
  return pageFile.test(id)
}

/** A page's URL decides its language, so its content shouldn't depend on the visitor's header. */
function headerProblem({ file, line, page }: HeaderRead, root: string): Problem[] {
  if (page === null) return []
  const where = page === file ? 'The page' : `${shortPath(page, root)}`
  const text = `${where} depends on the header accept-language, although its URL names the language. Use getLocale() instead.`
  return [{ file, line, text }]
}

function inConfig(file = 'vite.config.ts', entry: string, text: string): Problem {
  const escaped = entry.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return { file, line: findLine(file, new RegExp(`['"\`]${escaped}['"\`]\\s*:`)), text }
}
