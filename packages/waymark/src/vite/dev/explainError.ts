import { readFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { packageHint } from '../../journal/packageHint.ts'
import { codeFrame } from '../../journal/sourceMaps.ts'
import { frameLines, parseFrame } from '../../journal/thrownText.ts'
import { packageHints } from '../../node/packageHints.ts'
import { tryOrUndefined } from '../../shared/neverThrows.ts'
import { ownFolder } from '../config/ownFiles.ts'

/** A position in a file. The path is absolute; lines and columns count from 1. */
export type SourcePlace = { readonly file: string; readonly line: number; readonly column: number }

/** An error as overlay and terminal show it. */
export type Explained = {
  readonly message: string
  /** Frames of the app and of its packages, one a line. */
  readonly stack: string
  readonly place: SourcePlace | null
  /** The lines around the place; `null` when the message has them. */
  readonly frame: string | null
}

export type ErrorText = {
  readonly name: string
  readonly message: string
  readonly stack: string
  readonly place?: SourcePlace | null
  readonly isBrowser?: boolean
}

/** An error of a bundler. */
type LocatedError = Error & { readonly loc?: SourcePlace }

/** A message that the overlay and the terminal show, and the position that it is about. */
export type Explanation = { readonly message: string; readonly place?: SourcePlace | null }

/**
 * Replaces the message of an error with one that names the app's file and what to do. `explain` runs
 * for the first rule whose pattern matches; if it returns `null`, the next rules are tried. A text in
 * place of an `Explanation` keeps the position of the error.
 */
export type ExplanationRule = readonly [
  pattern: RegExp,
  explain: (found: readonly string[], at: ExplanationContext) => Explanation | string | null,
]

/** The error that a rule explains. */
export type ExplanationContext = {
  /** Folder of the app, absolute. */
  readonly root: string
  /** The first position of the stack that is in a file of the app; `null` if no position is. */
  readonly place: SourcePlace | null
  readonly isBrowser: boolean
}

/** What Vite's servers and its bundler say about an import that leads nowhere. */
const unresolvedImports = [
  /^Cannot find module '(.+?)' imported from '(.+?)'/,
  /^Failed to load url (\S+) \(resolved id: .+?\) in (.+?)\. Does the file exist\?/,
  /^Failed to resolve import "(.+?)" from "(.+?)"\. Does the file exist\?/,
  /^\[vite\]: Rolldown failed to resolve import "(.+?)" from "(.+?)"/,
  /^\[UNRESOLVED_IMPORT\] Could not resolve '(.+?)' in (\S+)/,
]

const bundlerRules: readonly ExplanationRule[] = [
  [
    /^(?:Transform failed with 1 error:\s*)?\[PARSE_ERROR\] ([\s\S]*?╭─\[ (.+?):(\d+):(\d+) \][\s\S]*)/,
    ([, message = '', file = '', line, column], { root }) => ({
      message,
      place: { file: path.resolve(root, file), line: Number(line), column: Number(column) },
    }),
  ],
  ...unresolvedImports.map(
    (pattern): ExplanationRule => [
      pattern,
      ([, name = '', file = ''], at) =>
        notFound(name, path.isAbsolute(file) ? file : (at.place?.file ?? file), at),
    ],
  ),
]

function notFound(source: string, importer: string, { root }: { root: string }): Explanation {
  const file = path.resolve(root, importer)
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(source) ?? []
  const what = /^[./]/.test(source)
    ? 'which does not exist. Correct the path.'
    : name === 'next'
      ? `which is another framework's. Use what waymark has: Link from 'waymark', hooks from 'waymark/client', cookies and headers from 'waymark/server'; or run npm install ${packageHints.aliases.next}, which has the names of its modules.`
      : `which is not installed. Run npm install ${name}, or correct the name.`
  const message = `${relativeFile(root, file)} imports ${source}, ${what}`
  return { message, place: findText(file, source) }
}

/** Finds where a file has a text in quotation marks. */
export function findText(file: string, text: string): SourcePlace | null {
  const source = readSource(file)
  const at = ["'", '"'].map((mark) => source?.indexOf(mark + text + mark) ?? -1).find((n) => n >= 0)
  if (source === null || at === undefined) return null
  const before = source.slice(0, at).split('\n')
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

let rules = bundlerRules

/** Adds the rules of a package with devtools. */
export function addRules(more: readonly ExplanationRule[]): void {
  rules = [...bundlerRules, ...more]
}

/** @param root absolute; places outside of it or in its packages are not the author's */
export function explainError(error: ErrorText, root: string): Explained {
  const stack = ownFrames(error.stack)
  const known = error.place ?? firstPlaceIn(stack, root) ?? namedFile(error, root)
  const at = { root, place: known, isBrowser: error.isBrowser === true }
  const text = stripVTControlCharacters(error.message)
    .trim()
    // As bundlers write the call of an import.
    .replace(/\(0 , [\w$]+\.(.+?)\)/g, '$1')
  for (const [pattern, explain] of rules) {
    const found = pattern.exec(text)
    const explanation = found && explain(found, at)
    if (!explanation) continue
    const { message, place = known } =
      typeof explanation === 'string' ? { message: explanation } : explanation
    return { message, stack, place, frame: message.includes('╭─[') ? null : frameAt(place) }
  }
  const isPlain = /^(?:Error|FrameworkError)$/.test(error.name)
  const named = isPlain || text.startsWith(error.name) ? text : `${error.name}: ${text}`
  const hint = packageHint({ message: text, phase: at.isBrowser ? 'browser' : null })
  const message = hint === null ? named : `${named}\n${hint}`
  return { message, stack, place: known, frame: frameAt(known) }
}

/** Explains those errors of a bundler that tell of an import that leads nowhere. */
export function explainUnresolved(errors: readonly LocatedError[], root: string): void {
  for (const error of errors) {
    const { name, message, stack = '', loc } = error
    const text = stripVTControlCharacters(message)
    if (!unresolvedImports.some((pattern) => pattern.test(text))) continue
    const known = explainError({ name, message, stack, place: loc?.file ? loc : null }, root)
    Object.assign(error, { message: known.message, loc: known.place, frame: known.frame })
  }
}

/** The file that a message of the framework is about. */
function namedFile({ name, message }: ErrorText, root: string): SourcePlace | null {
  const [, named] = /(?:^|\s)(app\/\S+\.\w+)/.exec(name === 'FrameworkError' ? message : '') ?? []
  const file = named && path.join(root, named)
  return file && readSource(file) !== null ? { file, line: 1, column: 1 } : null
}

/** Finds the first frame in the project's own files. */
export function firstPlaceIn(stack: string, root: string): SourcePlace | null {
  for (const { file: url, line, column } of frameLines(stack).map(parseFrame)) {
    const file = url?.replace(/^(?:about:\/\/React\/[^/]+\/)?file:\/\//, '').replace(/\?.*$/, '')
    if (!file?.startsWith(root + path.sep) || file.includes('/node_modules/')) continue
    return { file, line, column }
  }
  return null
}

const tools =
  /node:|<anonymous>|\(native\)|\/node_modules\/(?:vite|rolldown|react|react-dom|scheduler|waymark|@waymark|@vitejs)\/|\/deps\w*\/(?:react|chunk)|\/waymark\/dist\/|\/@vite\//

/** Leaves out the frames of Node, Vite, React and the framework. */
function ownFrames(stack: string): string {
  return frameLines(stripVTControlCharacters(stack))
    .filter((line) => / ?\(?\S+:\d+:\d+\)?$/.test(line) && !tools.test(line))
    .filter((line) => !line.includes(ownFolder))
    .map((line) => `    ${line}`)
    .join('\n')
}

function frameAt(place: SourcePlace | null): string | null {
  const source = place && readSource(place.file)
  return source ? `${codeFrame(source, place.line, place.column)}\n` : null
}

function readSource(file: string): string | null {
  // The file may have been deleted.
  return tryOrUndefined(() => readFileSync(file, 'utf8')) ?? null
}

function relativeFile(root: string, file: string): string {
  return file.startsWith(root + path.sep) ? path.relative(root, file) : file
}
