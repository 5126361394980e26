import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type Plugin, parseSync, type Rolldown, transformWithOxc } from 'vite'
import { writeImage } from './imagePlugin.ts'
import type { WebpackFacts } from './webpackFunction.ts'
import type { FileRule, ValueRule } from './webpackRules.ts'

/** Query that makes Vite return a file's URL without applying rules. */
const viteUrl = '?url&of-vite'
const emptyId = '\0next-names:empty'

/**
 * Applies the settings of the configuration's `webpack` function: files that are imported as
 * components, strings or URLs, and empty modules.
 * @param root of the project, absolute
 */
export function webpackPlugin(root: string, facts: WebpackFacts): Plugin {
  const rules = facts.files
  return {
    name: 'next-names:webpack',
    enforce: 'pre',
    resolveId: {
      filter: { id: emptyFilter(facts) },
      async handler(id, importer) {
        const { name, mode } = this.environment
        const emptyModuleId = await resolveEmpty(this, facts, name === 'client', id, importer)
        // In development, browsers load modules unbundled, so the empty module must export each
        // imported name.
        return emptyModuleId && mode === 'dev'
          ? emptyId + importedNames(importer, id).join()
          : emptyModuleId
      },
    },
    load: {
      filter: { id: rules.length > 0 ? /^(?!\0)|^\0next-names:empty/ : /^\0next-names:empty/ },
      async handler(id) {
        if (id.startsWith(emptyId)) {
          return this.environment.mode === 'dev'
            ? emptyModule(id.slice(emptyId.length))
            : emptyCommon
        }
        const [, file = '', query = ''] = /^([^?]*)(.*)$/s.exec(id) ?? []
        if (query === viteUrl) return null
        const rule = rules.find(({ matches }) => matches(file, query))
        if (rule === undefined) return null
        if (rule.import.as === 'unknown') {
          // Vite loads code and styles without the loader. The build prints a note about the rule.
          if (isLoadedByVite(file)) return null
          const { loader, way } = rule.import
          return this.error(
            `${path.relative(root, file)} is loaded by ${loader} in the webpack function of next.config, which Waymark can't run. Instead, ${way}.`,
          )
        }
        return await loadFile(rule.import, file, root)
      },
    },
    transform: {
      filter: {
        id:
          facts.values.length > 0
            ? { include: /\.[cm]?[jt]sx?(?:$|\?)/, exclude: /\/node_modules\// }
            : /^\0next-names:none$/,
      },
      handler(code, id) {
        const [, file = '', query = ''] = /^([^?]*)(.*)$/s.exec(id) ?? []
        const rules = facts.values.filter(({ matches }) => matches(file, query))
        const changed = withValues(code, Object.assign({}, ...rules.map(({ values }) => values)))
        return changed === code ? null : { code: changed, map: null }
      },
    },
  }
}

/** Sets global variables at the start of a file, after its directives. */
function withValues(code: string, values: ValueRule['values']): string {
  const set = Object.entries(values).flatMap(([name, value]) => {
    const json = JSON.stringify(value)
    return json === undefined ? [] : `globalThis[${JSON.stringify(name)}] = ${json};`
  })
  const [directives = ''] = directivesOf.exec(code) ?? []
  return directives + set.join('') + code.slice(directives.length)
}

const directivesOf =
  /^(?:\s|\/\/[^\n]*\n|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|(?:'use [^'\n]*'|"use [^"\n]*")(?:;|(?=\s*\n)))*/

function isLoadedByVite(file: string): boolean {
  return /\.(?:[cm]?[jt]sx?|mdx?|json|css|scss|sass|less)$/.test(file)
}

/** Replaces empty modules in the packages that the dev server bundles. */
export function emptyModules(facts: WebpackFacts, isClient: boolean): Rolldown.Plugin {
  return {
    name: 'next-names:empty',
    resolveId: {
      filter: { id: emptyFilter(facts) },
      handler(id, importer) {
        return resolveEmpty(this, facts, isClient, id, importer)
      },
    },
    load: { filter: { id: new RegExp(`^${emptyId}$`) }, handler: () => emptyCommon },
  }
}

// Bundlers accept imports of any name from a CommonJS module.
const emptyCommon = 'module.exports = {}\n'

function emptyModule(names: string): string {
  const exported = names.split(',').filter(Boolean)
  return ['export default {}', ...exported.map((name) => `export const ${name} = undefined`)].join(
    '\n',
  )
}

/** Returns the names that a file imports from a module, or exports from it. */
export function importedNames(importer = '', id: string): string[] {
  const [file = ''] = importer.split('?')
  const code = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const { module } = parseSync(file || 'a.js', code, { lang: 'tsx' })
  const imported = module.staticImports
    .filter(({ moduleRequest }) => moduleRequest.value === id)
    .flatMap(({ entries }) => entries)
  const exported = module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ moduleRequest }) => moduleRequest?.value === id)
  const names = [...imported, ...exported].map(({ importName }) => importName.name ?? 'default')
  return [...new Set(names)].filter((name) => name !== 'default')
}

function emptyFilter({ empty, external, ignored }: WebpackFacts): RegExp[] {
  const names = [...empty.client, ...empty.server, ...external]
  const exact = names.map(
    (name) => new RegExp(`^${name.replaceAll(/[.+^$()[\]{}|\\*?]/g, '\\$&')}$`),
  )
  // An empty filter would match everything, so always add an entry that matches nothing.
  return [/^\0next-names:none$/, ...exact, ...ignored]
}

type Resolving = {
  resolve(id: string, importer?: string, options?: { skipSelf?: boolean }): Promise<unknown>
}

async function resolveEmpty(
  context: Resolving,
  { empty, external, ignored }: WebpackFacts,
  isClient: boolean,
  id: string,
  importer: string | undefined,
): Promise<string | null> {
  if ((isClient ? empty.client : empty.server).includes(id)) return emptyId
  if (ignored.some((pattern) => pattern.test(id))) return emptyId
  if (!external.includes(id)) return null
  const resolved = await context.resolve(id, importer, { skipSelf: true }).catch(() => null)
  return resolved ? null : emptyId
}

async function loadFile(
  rule: Exclude<FileRule['import'], { as: 'unknown' }>,
  file: string,
  root: string,
): Promise<string> {
  switch (rule.as) {
    case 'component':
      return compileSvg(await readFile(file, 'utf8'), { file, root, options: rule.options })
    case 'image':
      return writeImage(file, await readFile(file), { urlQuery: viteUrl })
    case 'text':
      return `export default ${JSON.stringify(await readFile(file, 'utf8'))}`
    case 'url':
      return `export { default } from ${JSON.stringify(file + viteUrl)}`
  }
}

type Svg = {
  readonly file: string
  readonly root: string
  readonly options: Readonly<Record<string, unknown>>
}

/** Compiles an SVG file with the app's SVGR and the plugins that its webpack loader uses. */
async function compileSvg(code: string, { file, root, options }: Svg): Promise<string> {
  const { core, plugins } = loadSvgr(root)
  const state = { filePath: file, caller: { name: '@waymark/next' } }
  const jsx = await core.transform(code, { plugins, ...options }, state)
  const compiled = await transformWithOxc(jsx, `${file}.tsx`, {
    lang: 'tsx',
    jsx: { runtime: 'automatic' },
  })
  return compiled.code
}

type Svgr = {
  transform(code: string, config: object, state: object): Promise<string>
}

function loadSvgr(root: string): { core: Svgr; plugins: unknown[] } {
  try {
    const { resolve } = createRequire(path.join(root, 'package.json'))
    const load = createRequire(resolve('@svgr/webpack'))
    const plugins = ['@svgr/plugin-svgo', '@svgr/plugin-jsx'].map((name) => {
      const module = load(name)
      return module.default ?? module
    })
    return { core: load('@svgr/core'), plugins }
  } catch (error) {
    throw new Error(
      'The webpack function of next.config uses @svgr/webpack, which is not installed. Install the package.',
      {
        cause: error,
      },
    )
  }
}
