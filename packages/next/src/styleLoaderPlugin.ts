import path from 'node:path'
import type { EnvironmentModuleNode, Plugin } from 'vite'
import { importPlugins } from './namedPlugins.ts'
import type { StyleRule } from './webpackRules.ts'

/** The parts of webpack's loader API that loaders for style sheets use. */
type LoaderContext = {
  readonly resource: string
  readonly resourcePath: string
  readonly resourceQuery: string
  readonly context: string
  readonly rootContext: string
  readonly mode: string
  readonly query: unknown
  readonly sourceMap: boolean
  getOptions(): unknown
  cacheable(): void
  addDependency(file: string): void
  dependency(file: string): void
  addContextDependency(folder: string): void
  emitWarning(warning: unknown): void
  emitError(error: unknown): void
  async(): Callback
  callback: Callback
}
type Callback = (error: unknown, css?: string | Buffer) => void
type Loader = (this: LoaderContext, css: string) => unknown

/** Receives the dependencies and warnings of a loader. */
type LoaderReport = {
  readonly onFile: (file: string) => void
  readonly onFolder: (folder: string) => void
  readonly onWarning: (warning: unknown) => void
}

/**
 * Runs the loaders that `turbopack.rules` in the configuration has for style sheets, such as
 * `@tailwindcss/turbopack`. Vite then compiles their result.
 * @param root of the project, absolute
 */
export function styleLoaderPlugin(root: string, rules: readonly StyleRule[]): Plugin {
  /** Folders whose new files may change a style sheet, by the file of the style sheet. */
  const folders = new Map<string, Set<string>>()
  const imports = new Map<StyleRule, ReturnType<typeof importPlugins>>()
  const importLoaders = (rule: StyleRule) => {
    const named = rule.loaders.map(({ request, options }) => [request, options])
    const imported = imports.get(rule) ?? importPlugins(named, { root, file: 'next.config' })
    imports.set(rule, imported)
    return imported
  }
  return {
    name: 'next-names:style-loaders',
    enforce: 'pre',
    transform: {
      filter: { id: rules.length > 0 ? /\.css(?:$|\?)/ : /^\0next-names:none$/ },
      async handler(code, id) {
        const [, file = '', query = ''] = /^([^?]*)(.*)$/s.exec(id) ?? []
        const applied = rules.filter(({ matches }) => matches(file, ''))
        if (applied.length === 0 || /[?&](?:url|raw)\b/.test(query)) return null
        const watched = new Set<string>()
        folders.set(file, watched)
        const imported = (await Promise.all(applied.map(importLoaders))).flat()
        let css = code
        // Like webpack, start with the last loader.
        for (const { plugin, options } of imported.toReversed()) {
          css = await runLoader(plugin as Loader, css, {
            file,
            root,
            options: options[0],
            mode: this.environment.mode === 'dev' ? 'development' : 'production',
            report: {
              onFile: (each) => this.addWatchFile(each),
              onFolder: (each) => watched.add(each),
              onWarning: (warning) => this.warn(textOf(warning)),
            },
          })
        }
        return { code: css, map: null }
      },
    },
    hotUpdate({ type, file, modules }) {
      if (type !== 'create' || file.includes('/node_modules/')) return
      const isBelow = (folder: string) => file.startsWith(`${folder.replaceAll('\\', '/')}/`)
      const changed = [...folders].flatMap(([sheet, watched]): EnvironmentModuleNode[] =>
        [...watched].some(isBelow)
          ? [...(this.environment.moduleGraph.getModulesByFile(sheet) ?? [])]
          : [],
      )
      return changed.length > 0 ? [...modules, ...changed] : undefined
    },
  }
}

type LoaderRun = {
  readonly file: string
  readonly root: string
  readonly options: unknown
  readonly mode: string
  readonly report: LoaderReport
}

/**
 * Runs a loader, which returns its result, returns a promise of the result, or calls back.
 * @throws the loader's error
 */
export async function runLoader(
  loader: Loader,
  css: string,
  { file, root, options = {}, mode, report }: LoaderRun,
): Promise<string> {
  const result = await new Promise((resolve, reject) => {
    let isAsync = false
    const callback: Callback = (error, output) => (error ? reject(error) : resolve(output))
    const context: LoaderContext = {
      resource: file,
      resourcePath: file,
      resourceQuery: '',
      context: path.dirname(file),
      rootContext: root,
      mode,
      query: options,
      sourceMap: false,
      getOptions: () => options,
      cacheable() {},
      addDependency: report.onFile,
      dependency: report.onFile,
      addContextDependency: report.onFolder,
      emitWarning: report.onWarning,
      emitError: reject,
      async() {
        isAsync = true
        return callback
      },
      callback(error, output) {
        isAsync = true
        callback(error, output)
      },
    }
    Promise.resolve()
      .then(() => loader.call(context, css))
      .then((returned) => {
        if (!isAsync) resolve(returned)
      }, reject)
  })
  return String(result ?? '')
}

function textOf(warning: unknown): string {
  return warning instanceof Error ? warning.message : String(warning)
}
