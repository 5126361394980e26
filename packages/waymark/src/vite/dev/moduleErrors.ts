import { existsSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type DevEnvironment, type Plugin, parseAstAsync } from 'vite'
import { pathFrom } from '../../journal/filePaths.ts'
import { codeFrame } from '../../journal/sourceMaps.ts'
import { packageHints } from '../../node/packageHints.ts'
import { importExpressions } from '../config/importExpressions.ts'
import { findText, readSource, type SourcePlace } from '../config/sourceText.ts'

/** An error of Vite, of a plugin, or of Rolldown. */
type ToolError = Error & {
  readonly code?: string
  readonly plugin?: string
  readonly pluginCode?: string
  readonly id?: string
  readonly loc?: { readonly file?: string; readonly line: number; readonly column: number }
  /** In an error of Rolldown that an import caused: the text of the import. */
  readonly exporter?: string
  readonly errors?: readonly ToolError[]
}

/** `plugin` of an error whose frame is Rolldown's own, with marks and help. */
export const syntaxPlugin = 'waymark:syntax'

/**
 * Describes an error of a transform. A syntax error gets its sentence, its place and its frame; an import
 * that nothing resolves gets the name of the file and advice.
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
      // An alias resolves names of files that don't exist.
      const isMissing = !resolved || (path.isAbsolute(file) && !existsSync(file))
      if (isMissing) return explainMissingImport(error, { source, importer: id }, config.root)
    }
  } catch {
    // The code can't be parsed, or a plugin refuses an import: the error is about that.
  }
}

/** The names in the imports of a module. @param code JavaScript */
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

/** Rolldown writes the code of an error and its frame into the message, too. */
function syntaxLines({ code, message }: ToolError): string[] {
  return stripVTControlCharacters(message).replace(`[${code}] `, '').split('\n')
}

type MissingImport = { readonly source: string; readonly importer: string | undefined }

// Vite's server finds no module of this name, or nothing to load for its id.
const missingModuleCodes = new Set(['ERR_MODULE_NOT_FOUND', 'ERR_LOAD_URL'])

/** Describes an error of the dev server's own `fetchModule`, which runs for each import on the server. */
export function explainFetch(thrown: unknown, missing: MissingImport, root: string): void {
  const error = thrown as ToolError
  if (missingModuleCodes.has(error.code ?? '')) explainMissingImport(error, missing, root)
}

/** Describes the errors of a build that are caused by imports which nothing resolves. */
export function explainUnresolved(errors: readonly ToolError[], root: string): void {
  for (const error of errors) {
    const { code, exporter, id } = error
    if (code !== unresolved || !exporter) continue
    explainMissingImport(error, { source: exporter, importer: id }, root)
  }
}

const unresolved = 'UNRESOLVED_IMPORT'

/**
 * Fails a build for an import that nothing resolves, with the error of Rolldown: Vite's own has neither
 * code nor file. An app with an `onLog` or `onwarn` decides for itself.
 */
export function unresolvedImportsPlugin(): Plugin {
  let isHandledByApp = false
  return {
    name: 'waymark:unresolved-imports',
    apply: 'build',
    enforce: 'pre',
    config: {
      // plugin-rsc adds an `onLog` later.
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
  { source, importer }: MissingImport,
  root: string,
): void {
  const file = importer?.replace(/\?.*$/, '')
  // The app's author has not written a module without a file.
  if (!file || !path.isAbsolute(file)) return
  const place = findText(file, source) ?? placeOf(error, file)
  Object.assign(error, {
    message: `${pathFrom(root, file)} imports ${source}, ${adviceFor(source)}`,
    id: file,
    loc: place,
    frame: place && frameAt(place),
  })
}

function adviceFor(source: string): string {
  // An alias such as `@/` is no name of a package.
  const [name] = /^(?:@[\w.-]+\/)?\w[\w.-]*(?=\/|$)/.exec(source) ?? []
  if (name === undefined) return 'which does not exist. Correct the path.'
  return name === 'next'
    ? `which is another framework's. Use what waymark has: Link from 'waymark', hooks from 'waymark/client', cookies and headers from 'waymark/server'; or run npm install ${packageHints.aliases.next}, which has the names of its modules.`
    : `which is not installed. Run npm install ${name}, or correct the name.`
}

function placeOf({ loc }: ToolError, file: string): SourcePlace | undefined {
  return loc && { file: loc.file ?? file, line: loc.line, column: loc.column + 1 }
}

function frameAt({ file, line, column }: SourcePlace): string | undefined {
  const source = readSource(file)
  return source === null ? undefined : codeFrame(source, line, column)
}
