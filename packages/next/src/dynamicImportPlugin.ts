import path from 'node:path'
import { type Alias, type ESTree, normalizePath, type Plugin, parseSync, Visitor } from 'vite'
import { jsconfigAliases, tsconfigAliases } from './jsconfigAliases.ts'

/**
 * Lets code import files by computed paths, as in `import('../posts/' + slug + '/chart.js')`. Vite
 * only bundles the possible files for a template literal with one file name per variable and with
 * an extension. Other bundlers also accept concatenated strings, paths without an extension, and
 * variables that contain slashes. If no file has the path, the error gets the code
 * `MODULE_NOT_FOUND`, which apps check.
 * @param root of the project, absolute
 */
export function dynamicImportPlugin(root: string): Plugin {
  const aliases = [...tsconfigAliases(root), ...jsconfigAliases(root)]
  return {
    name: 'next-names:dynamic-imports',
    enforce: 'pre',
    transform: {
      filter: {
        id: { include: /\.(?:[cm]?[jt]sx?|mdx)(?:$|\?)/, exclude: /\/node_modules\// },
        code: /\bimport\s*\((?!\s*['"][^'"]*['"]\s*[,)])/,
      },
      handler(code, id) {
        const changed = withGlobImports(id.split('?')[0] ?? id, code, aliases)
        return changed === code ? null : { code: changed, map: null }
      },
    },
  }
}

/**
 * @param file absolute path
 * @param aliases of the app, from its `tsconfig.json` or `jsconfig.json`
 * @returns the code, with unchanged line numbers
 */
export function withGlobImports(
  file: string,
  code: string,
  aliases: readonly Alias[] = [],
): string {
  const lang = /\.[cm]?ts$/.test(file) ? 'ts' : 'tsx'
  const { program, errors } = parseSync(file, code, { lang })
  if (errors.some(({ severity }) => severity === 'Error')) return code
  const imports: { readonly node: ESTree.ImportExpression; readonly parts: readonly Part[] }[] = []
  new Visitor({
    ImportExpression(node) {
      // Leave an import inside of another one as it is, because the outer one copies its code.
      if (imports.some((outer) => outer.node.end >= node.end)) return
      if (
        /\b(?:webpackIgnore|turbopackIgnore|@vite-ignore)\b/.test(
          code.slice(node.start, node.source.start),
        )
      )
        return
      const parts = relativeParts(partsOf(node.source, code), file, aliases)
      if (parts !== null) imports.push({ node, parts })
    },
  }).visit(program)
  if (imports.length === 0) return code
  const replaced = imports
    .toSorted((one, other) => other.node.start - one.node.start)
    .reduce((text, { node, parts }) => {
      const { source, start, end } = node
      // Keep comments and line breaks between the parenthesis and the path.
      const opening = text.slice(start + 'import'.length, source.start)
      const globs = JSON.stringify([...globsOf(parts), ...excluded])
      const call = `${importModule}${opening}${templateOf(parts)}, import.meta.glob(${globs})`
      return `${text.slice(0, start)}${call}${text.slice(source.end, end)}${text.slice(end)}`
    }, code)
  return `${replaced}\nimport { ${importModule} } from 'next/internal/dynamic-import'\n`
}

const importModule = '__nextImport'

/** Files that no app imports by a computed path. Tests would bring their runner into the bundle. */
const excluded = ['!**/*.d.ts', '!**/*.{test,spec,stories}.*']

/** A part of a computed path: fixed text, or the code of an expression. */
type Part = { readonly text: string } | { readonly code: string }

/** Splits an expression that creates a string into its parts, and joins neighbouring texts. */
function partsOf(node: ESTree.Node, code: string): Part[] {
  const parts: Part[] = []
  const add = (part: Part) => {
    const last = parts.at(-1)
    if (last && 'text' in last && 'text' in part)
      parts.splice(-1, 1, { text: last.text + part.text })
    else if (!('text' in part) || part.text !== '') parts.push(part)
  }
  const read = (each: ESTree.Node) => {
    if (each.type === 'Literal') return add({ text: String(each.value) })
    if (each.type === 'TemplateLiteral') {
      each.quasis.forEach(({ value }, index) => {
        add({ text: value.cooked ?? value.raw })
        const expression = each.expressions[index]
        if (expression) add({ code: code.slice(expression.start, expression.end) })
      })
      return
    }
    if (each.type === 'BinaryExpression' && each.operator === '+') {
      read(each.left)
      read(each.right)
      return
    }
    add({ code: code.slice(each.start, each.end) })
  }
  read(node)
  return parts
}

/**
 * Makes a computed path relative to its file, in the form of the keys of `import.meta.glob`.
 * Replaces an alias such as `@/`, because Vite has no such alias.
 * @returns `null` if the path has no variable, or doesn't start with a fixed relative path
 */
function relativeParts(
  [first, ...others]: readonly Part[],
  file: string,
  aliases: readonly Alias[],
): Part[] | null {
  if (first === undefined || !('text' in first) || others.length === 0) return null
  if (others.some((each) => 'text' in each && each.text.includes('?'))) return null
  const { text } = first
  const alias = aliases.find(({ find }) => find instanceof RegExp && find.test(text))
  const isRelative = /^\.\.?\//.test(text)
  if (!isRelative && alias === undefined) return null
  const folder = path.dirname(file)
  // A path that ends with a slash would lose it in `path.resolve`.
  const target = isRelative
    ? path.resolve(folder, `${text}x`)
    : `${text.replace(alias?.find ?? '', alias?.replacement ?? '')}x`
  const relative = normalizePath(path.relative(folder, target)).slice(0, -1)
  return [{ text: relative.startsWith('.') ? relative : `./${relative}` }, ...others]
}

function templateOf(parts: readonly Part[]): string {
  const texts = parts.map((part) =>
    'text' in part ? part.text.replace(/[`\\]|\$\{/g, '\\$&') : `\${${part.code}}`,
  )
  return `\`${texts.join('')}\``
}

/** Returns the patterns of the files that a computed path can lead to. */
function globsOf(parts: readonly Part[]): string[] {
  const patterns = parts.map((part, index) => {
    if ('text' in part) return part.text.replace(/[()[\]{}*?!\\]/g, '\\$&')
    const [before, after] = [parts[index - 1], parts[index + 1]]
    const isStart = before && 'text' in before && before.text.endsWith('/')
    const isEnd = after && 'text' in after && after.text.startsWith('/')
    // A variable for a whole file name or folder may contain slashes.
    if (!isStart) return '*'
    return isEnd ? '**' : '**/*'
  })
  const path = patterns.join('')
  const last = parts.at(-1)
  if (last && 'text' in last && /\.\w+$/.test(last.text)) return [path]
  return [`${path}.${extensions}`, `${path}/index.${extensions}`]
}

const extensions = '{js,mjs,tsx,ts,jsx,json,mdx}'
