import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ESTree, normalizePath, type Plugin, parseAstAsync } from 'vite'
import { definePackage } from 'waymark/plugin'
import type { FontOptions } from './createFont.ts'
import { type FontPlace, familyStyles, resolveFamily, typeOf } from './faces.ts'

const entry = '@waymark/font'
const packageFile = (name: string) =>
  normalizePath(fileURLToPath(new URL(`./${name}.js`, import.meta.url)))

/**
 * Returns the Vite plugins that compile calls to `font()` into class names, a style sheet and
 * preloads.
 */
export function fonts(): Plugin[] {
  return [definePackage('@waymark/font', () => ({})), fontFilesPlugin()]
}

function fontFilesPlugin(): Plugin {
  // Generated style sheets, keyed by their virtual path.
  const sheets = new Map<string, string>()
  let root = ''
  return {
    name: 'waymark:fonts',
    enforce: 'pre',
    configResolved(config) {
      root = config.root
    },
    resolveId: {
      filter: { id: [sheetPattern, new RegExp(`^${entry}$`)] },
      handler(id) {
        // Resolve `@waymark/font` from this file, because a strict package manager may hide it from
        // the importing file.
        if (id === entry) return packageFile('index')
        // Also accept the path with a query, because browsers request a style sheet below the root
        // with a query.
        const [, name = '', query = ''] = sheetPattern.exec(id) ?? []
        return sheetPath(root, name) + query
      },
    },
    load: {
      filter: { id: sheetPattern },
      handler: (id) => sheets.get(id.replace(/\?.*$/, '')),
    },
    transform: {
      filter: { id: /\.[cm]?[jt]sx?(?:\?|$)/, code: entry },
      async handler(code, id) {
        const importer = id.replace(/\?.*$/, '')
        const calls = findFontCalls(await parseAstAsync(code, { lang: 'tsx' }))
        if (calls.length === 0) return null
        const place = { importer, findPackage: packageFinder([importer, path.join(root, 'app')]) }
        const file = normalizePath(path.relative(root, importer))
        const built = calls.map(({ argument }, index) => {
          try {
            return buildCall(readLiteral(argument) as FontOptions, place, `${file}#${index}`)
          } catch (error) {
            const why = error instanceof Error ? error.message : String(error)
            return this.error(`font() in ${file}: ${why}`, argument.start)
          }
        })
        for (const { css, name } of built) sheets.set(sheetPath(root, name), css)
        return { code: compile(code, { calls, built, root }), map: null }
      },
    },
  }
}

const sheetPattern = /\/waymark-(font-\w{8})\.css(\?.*)?$/

const sheetPath = (root: string, name: string) => `${normalizePath(root)}/waymark-${name}.css`

type FontCall = {
  readonly start: number
  readonly end: number
  readonly argument: ESTree.Expression
}

type BuiltCall = {
  /** Class name, which is also part of the style sheet's name. */
  readonly name: string
  readonly css: string
  readonly variable: string
  readonly fontFamily: string
  readonly files: readonly { readonly file: string; readonly type: string }[]
}

/**
 * @param id id of the call. The class name is derived from the id, so that it stays the same
 * between builds.
 */
function buildCall(options: FontOptions, place: FontPlace, id: string): BuiltCall {
  const family = resolveFamily(options, place)
  const name = `font-${createHash('sha256').update(id).digest('hex').slice(0, 8)}`
  return {
    name,
    ...familyStyles(family, options, name),
    variable: options.variable === undefined ? '' : `${name}-variable`,
    files: family.faces
      .filter(({ isPreloaded }) => isPreloaded)
      .map((face) => ({ file: normalizePath(face.file), type: typeOf(face) })),
  }
}

type CompiledModule = {
  readonly calls: readonly FontCall[]
  readonly built: readonly BuiltCall[]
  readonly root: string
}

/** Replaces the calls to `font()` and adds imports. Line numbers don't change. */
function compile(code: string, { calls, built, root }: CompiledModule): string {
  const runtime = JSON.stringify(packageFile('createFont'))
  const imports = [`import { createFont as $$createFont } from ${runtime}`]
  let compiled = code
  for (const [index, { name, variable, fontFamily, files }] of [...built.entries()].reverse()) {
    const call = calls[index]
    if (!call) continue
    const urls = files.map(({ file, type }, at) => {
      const local = `$$font_${index}_${at}`
      imports.push(`import ${local} from ${JSON.stringify(file)}`)
      return `[${local}, ${JSON.stringify(type)}]`
    })
    imports.push(`import ${JSON.stringify(sheetPath(root, name))}`)
    const values = JSON.stringify({ className: name, variable, fontFamily }).slice(0, -1)
    const lines = code.slice(call.start, call.end).split('\n').length - 1
    const value = `$$createFont(${values},"files":[${urls.join(', ')}]})${'\n'.repeat(lines)}`
    compiled = compiled.slice(0, call.start) + value + compiled.slice(call.end)
  }
  return withImports(compiled, imports.join('; '))
}

/**
 * Adds imports after directives such as `'use client'`, because directives must be first in a
 * module.
 */
function withImports(code: string, imports: string): string {
  const directives = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/|(['"])use [\w ]+\1;?)*/.exec(code)?.[0] ?? ''
  return `${directives}${imports}; ${code.slice(directives.length)}`
}

/** Finds the top-level calls to `font()`, in source order. */
export function findFontCalls(ast: ESTree.Program): FontCall[] {
  const local = localName(ast)
  if (local === null) return []
  const declarations = ast.body.map((statement) =>
    statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement,
  )
  return declarations.flatMap((statement) => {
    if (statement?.type !== 'VariableDeclaration') return []
    return statement.declarations.flatMap(({ init }) => {
      if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier') return []
      const [argument] = init.arguments
      if (init.callee.name !== local || !argument || argument.type === 'SpreadElement') return []
      return [{ start: init.start, end: init.end, argument }]
    })
  })
}

function localName(ast: ESTree.Program): string | null {
  for (const statement of ast.body) {
    if (statement.type !== 'ImportDeclaration' || statement.source.value !== entry) continue
    for (const specifier of statement.specifiers) {
      if (specifier.type !== 'ImportSpecifier') continue
      const { imported, local } = specifier
      if (imported.type === 'Identifier' && imported.name === 'font') return local.name
    }
  }
  return null
}

/**
 * Evaluates an expression that consists of literals, for a plugin that compiles calls.
 * @param node an expression as parsed by Vite's `parseAstAsync`
 * @throws Error if the expression contains anything but literals
 */
export function readLiteral(node: ESTree.Node): unknown {
  switch (node.type) {
    case 'Literal':
      return node.value
    case 'ArrayExpression':
      return node.elements.map((element) => readLiteral(element ?? node))
    case 'ObjectExpression':
      return Object.fromEntries(
        node.properties.map((property) => {
          if (property.type !== 'Property' || property.computed) return readLiteral(property)
          const { key, value } = property
          return [key.type === 'Identifier' ? key.name : readLiteral(key), readLiteral(value)]
        }) as [string, unknown][],
      )
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return readLiteral(node.expression)
    default:
      throw new Error(
        "the options contain an expression that the build can't evaluate. Use literals only.",
      )
  }
}

/** @returns a function that looks for a package's folder, starting from each place in order */
function packageFinder(places: readonly string[]): FontPlace['findPackage'] {
  return (name) => {
    for (const place of places) {
      try {
        return path.dirname(createRequire(place).resolve(`${name}/package.json`))
      } catch {
        // If the package can't be found from this place, try the next one.
      }
    }
    return null
  }
}
