import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { isRunnableDevEnvironment, type Plugin, type RunnableDevEnvironment } from 'vite'
import { frameworkError } from '../../shared/errors.ts'
import { findText } from './explainError.ts'

/** Refuses, in development, what a build would refuse: wrong imports, and styles with mistakes. */
export function sourceChecks(): Plugin[] {
  return [importCheckPlugin(), cssSyntaxPlugin()]
}

/**
 * Refuses imports of what a file of the app does not export, as browsers and builds do: Vite's
 * runner gives `undefined`, which renders as nothing.
 */
function importCheckPlugin(): Plugin {
  return {
    name: 'waymark:import-check',
    apply: 'serve',
    configureServer({ environments }) {
      for (const environment of [environments.rsc, environments.ssr]) {
        if (environment && isRunnableDevEnvironment(environment)) checkImports(environment)
      }
    },
  }
}

// What Vite's runner hands to the code of a module, by name.
type Context = { readonly __vite_ssr_import__?: Import }

type Import = (
  source: string,
  metadata?: { readonly importedNames?: readonly string[] },
) => Promise<object>

type Evaluate = (context: Context, code: string, module: { readonly file: string }) => Promise<void>

function checkImports({ runner, config: { root } }: RunnableDevEnvironment): void {
  const evaluator = runner.evaluator as unknown as { runInlinedModule: Evaluate }
  const evaluate = evaluator.runInlinedModule.bind(evaluator)
  evaluator.runInlinedModule = (context, code, module) => {
    const { __vite_ssr_import__: load } = context
    if (!load || !isOwn(module.file, root)) return evaluate(context, code, module)
    const checked: Import = async (source, metadata) => {
      const loaded = await load(source, metadata)
      // Vite seals what has been evaluated: the others import each other in a circle.
      if (!isOwn(root + source, root) || !Object.isSealed(loaded)) return loaded
      const missing = metadata?.importedNames?.find(
        (name) => !(name in loaded) && isUsed(name, code),
      )
      if (missing === undefined) return loaded
      throw missingExport(missing, { file: module.file, source, loaded, root })
    }
    return evaluate({ ...context, __vite_ssr_import__: checked }, code, module)
  }
}

function isOwn(file: string, root: string): boolean {
  return file.startsWith(root + path.posix.sep) && !/\/node_modules\/|\/@|\0/.test(file)
}

// What is exported again may be a type, of which nothing is left.
function isUsed(name: string, code: string): boolean {
  const others = code.replace(/^__vite_ssr_exportName__\(.*$/gm, '')
  return new RegExp(`__vite_ssr_import_\\d+__\\.${name.replaceAll('$', '\\$')}(?![\\w$])`).test(
    others,
  )
}

function missingExport(
  name: string,
  { file, source, loaded, root }: { file: string; source: string; loaded: object; root: string },
): Error {
  const [pathname = ''] = source.slice(1).split('?', 1)
  const error = frameworkError('MISSING_EXPORT', {
    file: path.relative(root, file),
    name,
    source: pathname,
    found: Object.keys(loaded),
  })
  const lines = readFileSync(file, 'utf8').split('\n')
  const line = lines.findIndex((text) => new RegExp(`\\b${name}\\b`).test(text))
  const column = (lines[line]?.indexOf(name) ?? 0) + 1
  const loc = line < 0 ? findText(file, path.basename(pathname)) : { file, line: line + 1, column }
  return Object.assign(error, { id: file, ...(loc && { loc }) })
}

// Vite brings it: it minifies the styles of a build.
type LightningCss = {
  transform(options: { filename: string; code: Uint8Array }): unknown
}

// Its message, and where it is in the file.
type SyntaxError = Error & { readonly loc?: { readonly line: number; readonly column: number } }

/**
 * Refuses styles that can't be parsed, in the app's own files, as a build does: a browser leaves
 * out what it does not understand, and says nothing.
 */
function cssSyntaxPlugin(): Plugin {
  let parser: LightningCss | undefined
  return {
    name: 'waymark:css-syntax',
    apply: 'serve',
    enforce: 'pre',
    // PostCSS may have a syntax of its own.
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
          const { message, loc } = thrown as SyntaxError
          // Vite puts imports into order.
          if (!loc || message.includes('must precede')) return
          const error = new Error(`${message} in the styles.`)
          throw Object.assign(error, { id: filename, loc: { file: filename, ...loc } })
        }
      },
    },
  }
}
