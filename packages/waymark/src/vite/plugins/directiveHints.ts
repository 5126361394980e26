import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type ESTree, normalizePath, type Plugin, parseSync, Visitor } from 'vite'
import { packageHints } from '../../node/packageHints.ts'
import { type FrameworkError, frameworkError } from '../../shared/errors.ts'

const { pattern, instead, lines } = packageHints.cacheDirective

const bundledFiles = /[\\/]\.vite[\\/]deps/

/**
 * Refuses the directive `'use cache'` if no plugin has compiled it. Ignoring it would make the
 * function run for each request.
 */
export function directiveHintsPlugin(): Plugin {
  return {
    name: 'waymark:directive-hints',
    // Run after all plugins that might compile the directive, and after files with 'use server' or
    // 'use client' have become references on the other side.
    enforce: 'post',
    transform: {
      filter: { id: { exclude: bundledFiles }, code: /['"]use cache/ },
      handler(code, id) {
        const [filename = id] = id.split('?', 1)
        const compiled = findDirective(code, filename)
        if (compiled === null) return
        const { name, config, mode } = this.environment
        // `code` is compiled, so look for the directive's position in the source file.
        const source = existsSync(filename) ? readFileSync(filename, 'utf8') : code
        const place = findDirective(source, filename) ?? compiled
        const file = normalizePath(path.relative(config.root, filename))
        const error = directiveError({ ...place, file, isServer: name === 'rsc' })
        // The dev server itself maps a position in the compiled code to the source.
        const { line, column } = mode === 'dev' ? compiled : place
        throw Object.assign(error, { id: filename, loc: { file: filename, line, column } })
      },
    },
  }
}

type Directive = {
  readonly directive: string
  readonly line: number
  /** Column, from 0 as in Vite. */
  readonly column: number
}

/** Finds the first directive that is `'use cache'` or a variant of it. */
function findDirective(code: string, file: string): Directive | null {
  const lang = /\.[cm]?ts$/.test(file) ? 'ts' : 'tsx'
  const { program } = parseSync(file, code, { lang })
  let start = -1
  let directive = ''
  new Visitor({
    ExpressionStatement(statement) {
      const { directive: text } = statement as ESTree.Directive
      if (start >= 0 || !text || !pattern.test(text)) return
      start = statement.start
      directive = text
    },
  }).visit(program)
  if (start < 0) return null
  const before = code.slice(0, start).split('\n')
  return { directive, line: before.length, column: before.at(-1)?.length ?? 0 }
}

type RefusedDirective = Directive & {
  /** Path relative to the project's root. */
  readonly file: string
  readonly isServer: boolean
}

function directiveError({ directive, line, file, isServer }: RefusedDirective): FrameworkError {
  const place = `${file}:${line}`
  return isServer
    ? frameworkError('DIRECTIVE_NOT_COMPILED', { place, directive, instead, lines })
    : frameworkError('DIRECTIVE_IN_BROWSER', { place, directive })
}
