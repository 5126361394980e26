import { existsSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type DevEnvironment, type Plugin, parseAstAsync } from 'vite'
import { pathFrom } from '../../journal/filePaths.ts'
import { codeFrame } from '../../journal/sourceMaps.ts'
import { importExpressions } from '../config/importExpressions.ts'
import { findText, readSource, type SourcePlace } from '../config/sourceText.ts'
import { missingImportAdvice } from './missingImportAdvice.ts'

/** An error from Vite, a plugin, or Rolldown. */
type ToolError = Error & {
  readonly code?: string
  readonly plugin?: string
  readonly pluginCode?: string
  readonly id?: string
  readonly loc?: { readonly file?: string; readonly line: number; readonly column: number }
  /** Specifier of the import that caused the error. Only Rolldown's errors have it. */
  readonly exporter?: string
  readonly errors?: readonly ToolError[]
}

/** Value of `plugin` for a syntax error, whose frame comes from Rolldown, with marks and help. */
export const syntaxPlugin = 'waymark:syntax'

/**
 * Explains an error in transforming a module. A syntax error gets a short message, its position and
 * its frame. For an import that can't be resolved, the message names the importing file and gives
 * advice.
 */
export async function explainTransform(
  thrown: unknown,
  { config, pluginContainer }: Pick<DevEnvironment, 'config' | 'pluginContainer'>,
): Promise<void> {
  const error = thrown as ToolError
  const syntax = [error, ...(error.errors ?? [])].filter(({ code }) => code === 'PARSE_ERROR')
  if (syntax[0]) return explainSyntax(error, syntax)
  const { plugin, id, pluginCode } = error
  if (plugin !== 'vite:import-analysis' || !id || !pluginCode) return
  try {
    for (const source of await importedSources(pluginCode)) {
      const resolved = await pluginContainer.resolveId(source, id)
      const [file = ''] = resolved?.id.split('?', 1) ?? []
      // An alias can resolve to a file that doesn't exist.
      const isMissing = !resolved || (path.isAbsolute(file) && !existsSync(file))
      const missing = { source, importer: id, isAliased: resolved !== null }
      if (isMissing) return explainMissingImport(error, missing, config.root)
    }
  } catch {
    // The code can't be parsed, or a plugin refuses an import. The error already describes the
    // problem.
  }
}

/**
 * Lists the specifiers of a module's imports.
 *
 * @param code JavaScript
 */
async function importedSources(code: string): Promise<string[]> {
  const { body } = await parseAstAsync(code)
  const sources = body.flatMap((node) =>
    'source' in node && node.source ? [node.source.value] : [],
  )
  const later = await importExpressions(code)
  return [...sources, ...later.map(({ source }) => source)]
}

function explainSyntax(error: ToolError, [first, ...others]: readonly ToolError[]): void {
  if (!first) return
  const [sentence = '', ...frame] = syntaxLines(first)
  const rest = others.flatMap(syntaxLines)
  const { loc } = first
  const place = loc && { ...loc, file: loc.file ?? first.id, column: loc.column + 1 }
  Object.assign(error, {
    message: sentence,
    plugin: syntaxPlugin,
    frame: [...frame, ...rest].join('\n'),
    ...(place && { loc: place, id: place.file }),
  })
}

/**
 * Splits a syntax error's message into lines, without the error code. Rolldown appends the code frame
 * to the message, so the lines include the frame.
 */
function syntaxLines({ code, message }: ToolError): string[] {
  return stripVTControlCharacters(message).replace(`[${code}] `, '').split('\n')
}

type MissingImport = {
  readonly source: string
  readonly importer: string | undefined
  readonly isAliased?: boolean
}

// Codes of the errors for a module that Vite couldn't find or load.
const missingModuleCodes = new Set(['ERR_MODULE_NOT_FOUND', 'ERR_LOAD_URL'])

/**
 * Explains an error in the dev server's `fetchModule`, which runs for each import on the server.
 */
export function explainFetch(thrown: unknown, missing: MissingImport, root: string): void {
  const error = thrown as ToolError
  if (missingModuleCodes.has(error.code ?? '')) explainMissingImport(error, missing, root)
}

/** Explains those build errors that unresolved imports cause. */
export function explainUnresolved(errors: readonly ToolError[], root: string): void {
  for (const error of errors) {
    const { code, exporter, id } = error
    if (code !== unresolved || !exporter) continue
    explainMissingImport(error, { source: exporter, importer: id }, root)
  }
}

const unresolved = 'UNRESOLVED_IMPORT'

/**
 * Makes a build fail with Rolldown's error if an import can't be resolved, because Vite's own error
 * has neither a code nor a file. If the app has an `onLog` or `onwarn`, that function decides
 * whether the build fails.
 */
export function unresolvedImportsPlugin(): Plugin {
  let isHandledByApp = false
  return {
    name: 'waymark:unresolved-imports',
    apply: 'build',
    enforce: 'pre',
    config: {
      // plugin-rsc adds its own `onLog`, so run before it.
      order: 'pre',
      handler({ build, environments = {} }) {
        const builds = [build, ...Object.values(environments).map((each) => each.build)]
        const options = builds.flatMap((each) => [each?.rolldownOptions, each?.rollupOptions])
        isHandledByApp = options.some((each) => each?.onLog ?? each?.onwarn)
      },
    },
    onLog(_level, { code, id, exporter, loc, message }) {
      if (code !== unresolved || !id || id.endsWith('?commonjs-external')) return null
      if (isHandledByApp) return null
      throw Object.assign(new Error(message), { code, id, exporter, loc })
    },
  }
}

function explainMissingImport(
  error: ToolError,
  { source, importer, isAliased = false }: MissingImport,
  root: string,
): void {
  const file = importer?.replace(/\?.*$/, '')
  // The author didn't write modules that have no file.
  if (!file || !path.isAbsolute(file)) return
  const place = findText(file, source) ?? placeOf(error, file)
  Object.assign(error, {
    message: `${pathFrom(root, file)} imports ${source}, ${missingImportAdvice({ source, file, root, isAliased })}`,
    id: file,
    loc: place,
    frame: place && frameAt(place),
  })
}

function placeOf({ loc }: ToolError, file: string): SourcePlace | undefined {
  return loc && { file: loc.file ?? file, line: loc.line, column: loc.column + 1 }
}

function frameAt({ file, line, column }: SourcePlace): string | undefined {
  const source = readSource(file)
  return source === null ? undefined : codeFrame(source, line, column)
}
