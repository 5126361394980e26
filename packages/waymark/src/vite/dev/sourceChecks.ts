import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'
import { frameworkError } from '../../shared/errors.ts'
import { frameworkFolder } from '../config/frameworkFiles.ts'
import { findText } from '../config/sourceText.ts'
import { entryOf, type MissingName } from '../internals/devEnvironments.ts'

/** Creates the error for an import of a name that the file doesn't export. */
export function missingExport(
  { name, file, source, exportNames }: MissingName,
  root: string,
): Error {
  const entry = entryOf(source)
  const pathname = entry ?? source.slice(1).replace(/\?.*$/, '')
  const error = frameworkError('MISSING_EXPORT', {
    file: path.relative(root, file),
    name,
    source: pathname,
    exportNames,
    owner: entry && (publicEntries.find((each) => isExported(name, each)) ?? null),
  })
  const lines = readFileSync(file, 'utf8').split('\n')
  const line = lines.findIndex((text) => new RegExp(`\\b${name}\\b`).test(text))
  const column = (lines[line]?.indexOf(name) ?? 0) + 1
  const loc = line < 0 ? findText(file, path.basename(pathname)) : { file, line: line + 1, column }
  return Object.assign(error, { id: file, ...(loc && { loc }) })
}

const publicEntries = [
  'waymark',
  ...['client', 'server', 'theme', 'script'].map((name) => `waymark/${name}`),
]

function isExported(name: string, entry: string): boolean {
  const types = `${frameworkFolder}${entry.split('/')[1] ?? 'index'}.d.ts`
  return new RegExp(`\\b${name}\\b`).test(readFileSync(types, 'utf8'))
}

// The used parts of `lightningcss`, which is always installed, because Vite depends on it.
type LightningCss = {
  transform(options: { filename: string; code: Uint8Array }): unknown
}

type SyntaxError = Error & {
  readonly loc?: { readonly line: number; readonly column: number }
  readonly data?: { readonly type: string } | null
}

/**
 * Reports syntax errors in the app's styles, as a build does. Browsers silently ignore such errors.
 */
export function cssSyntaxPlugin(): Plugin {
  let parser: LightningCss | undefined
  return {
    name: 'waymark:css-syntax',
    apply: 'serve',
    enforce: 'pre',
    // With PostCSS, an app's styles may use a different syntax.
    applyToEnvironment: ({ config: { root, css } }) =>
      typeof css.postcss !== 'object' && !readdirSync(root).some((name) => /postcss/.test(name)),
    transform: {
      filter: { id: { include: /\.css(?:\?|$)/, exclude: /\/node_modules\/|[?&](?:raw|url)\b/ } },
      handler(code, id) {
        const [filename = id] = id.split('?', 1)
        parser ??= createRequire(createRequire(import.meta.url).resolve('vite'))('lightningcss')
        try {
          parser?.transform({ filename, code: Buffer.from(code) })
        } catch (thrown) {
          const { message, loc, data } = thrown as SyntaxError
          // Vite reorders imports, so don't report a misplaced one.
          if (!loc || data?.type === 'UnexpectedImportRule') return
          const error = new Error(`${message} in the styles.`)
          throw Object.assign(error, { id: filename, loc: { file: filename, ...loc } })
        }
      },
    },
  }
}
