import {
  hasDirective,
  transformHoistInlineDirective,
  transformWrapExport,
} from '@vitejs/plugin-rsc/transforms'
import type { ESTree, Rollup } from 'vite'

/** A module to be transformed. */
export type DirectiveModule = {
  readonly code: string
  readonly ast: ESTree.Program
  /** Relative to the project's root: part of the names of its functions. */
  readonly file: string
  /** Exports `cachedByDirective`. */
  readonly runtime: string
}

const directive = 'use cache'

/**
 * Wraps the functions that say `'use cache'`, or all that a file exports that says it. What a
 * function captures becomes an argument of it.
 * @returns `null` where nothing says it
 */
export function wrapDirectives(
  module: DirectiveModule,
): { code: string; map: Rollup.SourceMapInput } | null {
  const { code, ast, file } = module
  const wrap = (value: string, name: string) =>
    `$$cachedByDirective(${value}, ${JSON.stringify(`${file}#${name}`)})`
  const isWhole = hasDirective(ast.body, directive)
  const { output, names } = isWhole
    ? wrapExports(code, ast, wrap)
    : transformHoistInlineDirective(code, ast, {
        directive,
        runtime: wrap,
        rejectNonAsyncFunction: true,
        noExport: true,
        // Once: in the dev server, each wrapping makes a name of its own.
        hoistRuntime: true,
      })
  if (!isWhole && names.length === 0) return null
  // Behind the rest: a directive for the whole file has to stay the first.
  output.append(
    `\nimport { cachedByDirective as $$cachedByDirective } from ${JSON.stringify(module.runtime)};\n`,
  )
  const map = output.generateMap({ hires: 'boundary', source: file, includeContent: true })
  return { code: names.reduce(renamed, output.toString()), map }
}

function wrapExports(
  code: string,
  ast: ESTree.Program,
  wrap: (value: string, name: string) => string,
) {
  const { output } = transformWrapExport(code, ast, {
    runtime: wrap,
    rejectNonAsyncFunction: true,
    filter: (_name, { isFunction }) => isFunction !== false,
  })
  return { output, names: [] as string[] }
}

// Server functions are hoisted under such names, too. These are as long, so that the map holds.
function renamed(code: string, name: string): string {
  return code.replaceAll(name, () => `$$cache_${name.slice('$$hoist_'.length)}`)
}
