import { createRequire } from 'node:module'
import path from 'node:path'
import { readLiteral } from '@waymark/font/vite'
import { type ESTree, type Plugin, parseAstAsync } from 'vite'

/** Matches the names of the font modules in an import, with or without `.js`. */
const entry = /(['"])next\/font\/(google|local)(?:\.js)?\1/

/**
 * Replaces calls to font functions with calls to `font()`, which `fonts()` compiles. Families come
 * from Fontsource packages, so the build doesn't download fonts.
 * @param root folder from which packages are resolved
 */
export function fontPlugin(root: string): Plugin {
  return {
    name: 'next-names:fonts',
    enforce: 'pre',
    transform: {
      filter: { id: /\.[cm]?[jt]sx?(?:\?|$)/, code: entry },
      async handler(code, id) {
        const ast = await parseAstAsync(code, { lang: 'tsx' })
        const edits: Edit[] = []
        for (const call of findCalls(ast)) {
          try {
            edits.push(writeCall(code, call, root))
          } catch (error) {
            const why = error instanceof Error ? error.message : String(error)
            return this.error(
              `${call.family ?? 'localFont'}() in ${path.relative(root, id)}: ${why}`,
              call.start,
            )
          }
        }
        edits.push(...replaceImports(code, ast))
        if (edits.length === 0) return null
        return {
          code: `${applyEdits(code, edits)}\nimport { font as $$nextFont } from '@waymark/font'\n`,
          map: null,
        }
      },
    },
  }
}

type Edit = { readonly start: number; readonly end: number; readonly text: string }
type Call = {
  readonly start: number
  readonly end: number
  /** Name of the font family; `null` for a local font. */
  readonly family: string | null
  readonly argument: ESTree.Node | null
}

function applyEdits(code: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), code)
}

function findCalls(ast: ESTree.Program): Call[] {
  const families = importedFamilies(ast)
  const declarations = ast.body.map((statement) =>
    statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement,
  )
  return declarations.flatMap((statement) => {
    if (statement?.type !== 'VariableDeclaration') return []
    return statement.declarations.flatMap(({ init }) => {
      if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier') return []
      const family = families.get(init.callee.name)
      if (family === undefined) return []
      return [{ start: init.start, end: init.end, family, argument: init.arguments[0] ?? null }]
    })
  })
}

/**
 * Returns the imported font families, keyed by their local names; `null` stands for `localFont`.
 */
function importedFamilies(ast: ESTree.Program): Map<string, string | null> {
  const families = new Map<string, string | null>()
  for (const statement of ast.body) {
    if (statement.type !== 'ImportDeclaration') continue
    const [, , kind] = entry.exec(JSON.stringify(statement.source.value)) ?? []
    if (kind === undefined) continue
    for (const specifier of statement.specifiers) {
      if (kind === 'local') families.set(specifier.local.name, null)
      else if (specifier.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier') {
        families.set(specifier.local.name, specifier.imported.name)
      }
    }
  }
  return families
}

/**
 * Replaces the imports with functions that throw a clear error. The imports must go, because the
 * font module exports nothing, and only TypeScript removes unused imports.
 */
function replaceImports(code: string, ast: ESTree.Program): Edit[] {
  return ast.body.flatMap((node) => {
    const isFont =
      node.type === 'ImportDeclaration' && entry.test(JSON.stringify(node.source.value))
    if (!isFont || node.importKind === 'type') return []
    const written = node.specifiers.flatMap((each) => {
      if (each.type === 'ImportSpecifier' && each.importKind === 'type') return []
      const { name } = each.local
      const message = `Call ${name}() at the top level of a module, as the value of a constant.`
      return `${name} = () => { throw new Error(${JSON.stringify(message)}) }`
    })
    const text = written.length > 0 ? `const ${written.join(', ')};` : ''
    const { start, end } = node
    return [{ start, end, text: text + '\n'.repeat(linesIn(code, node)) }]
  })
}

/** Options that have the same name in Next's font functions and in `font()`. */
const shared = ['variable', 'display', 'preload', 'fallback'] as const

function writeCall(code: string, { family, argument, ...place }: Call, root: string): Edit {
  const fontOptions = readOptions(argument)
  const options: Record<string, unknown> = {}
  for (const name of shared) if (fontOptions[name] !== undefined) options[name] = fontOptions[name]
  const adjust = fontOptions.adjustFontFallback
  if (adjust === false || typeof adjust === 'string') options.adjust = adjust
  Object.assign(
    options,
    family === null ? localOptions(fontOptions) : googleOptions(family, fontOptions, root),
  )
  return {
    ...place,
    text: `$$nextFont(${JSON.stringify(options)})${'\n'.repeat(linesIn(code, place))}`,
  }
}

/** Counts line breaks, so that the replaced code keeps its line numbers. */
function linesIn(code: string, { start, end }: { start: number; end: number }): number {
  return code.slice(start, end).split('\n').length - 1
}

function localOptions({ src, weight, style }: Options): Options {
  if (typeof src !== 'string') return { src }
  return { src: [{ path: src, ...(weight ? { weight } : {}), ...(style ? { style } : {}) }] }
}

function googleOptions(family: string, fontOptions: Options, root: string): Options {
  const id = family.replaceAll('_', '-').toLowerCase()
  const weights = [fontOptions.weight ?? []].flat().filter((each) => each !== 'variable')
  const variable = `@fontsource-variable/${id}`
  const fixed = `@fontsource/${id}`
  const name = [variable, fixed].find((each) => isInstalled(each, root))
  if (name === undefined) {
    const wanted =
      weights.length > 0 ? `${variable}. If that package doesn't exist, install ${fixed}` : variable
    throw new Error(`the package of this font is not installed. Install ${wanted}.`)
  }
  const styles = [fontOptions.style ?? []].flat()
  return {
    package: name,
    ...(fontOptions.subsets ? { subsets: fontOptions.subsets } : {}),
    ...(styles.length > 0 ? { styles } : {}),
    ...(name === fixed && weights.length > 0 ? { weights: weights.map(Number) } : {}),
    ...(name === variable ? axisOf(fontOptions.axes) : {}),
  }
}

/**
 * Returns the name of the file that has the requested axes. With one additional axis, it is named
 * after this axis; with several, it is called `full`.
 */
function axisOf(axes: unknown): Options {
  if (!Array.isArray(axes) || axes.length === 0) return {}
  return { axis: axes.length === 1 ? String(axes[0]).toLowerCase() : 'full' }
}

function isInstalled(name: string, root: string): boolean {
  try {
    createRequire(path.join(root, 'package.json')).resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}

type Options = Readonly<Record<string, unknown>>

function readOptions(node: ESTree.Node | null): Options {
  return node === null ? {} : (readLiteral(node) as Options)
}
