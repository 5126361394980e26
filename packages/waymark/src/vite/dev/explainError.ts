import path, { type PlatformPath } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { filePathOf, isBelow } from '../../journal/filePaths.ts'
import { packageHint } from '../../journal/packageHint.ts'
import { codeFrame } from '../../journal/sourceMaps.ts'
import { frameLines, parseFrame } from '../../journal/thrownText.ts'
import { frameworkFolder } from '../config/frameworkFiles.ts'
import { readSource, type SourcePlace } from '../config/sourceText.ts'

/** An error as the overlay and the terminal show it. */
export type Explained = {
  readonly message: string
  /** Frames of the app and its packages, one per line. */
  readonly stack: string
  readonly place: SourcePlace | null
  /** Lines around the position. `null` if the file can't be read. */
  readonly frame: string | null
}

export type ErrorText = {
  readonly name: string
  readonly message: string
  readonly stack: string
  readonly code?: string | null
  readonly place?: SourcePlace | null
  readonly isBrowser?: boolean
}

/** Message for the overlay and the terminal, optionally with the position of the mistake. */
export type Explanation = { readonly message: string; readonly place?: SourcePlace | null }

/**
 * Replaces an error's message with one that points to the app's file and the fix. `explain` runs
 * for the first rule whose pattern matches. If it returns `null`, the next rules are tried. If it
 * returns a string instead of an `Explanation`, the error keeps its position.
 */
export type ExplanationRule = readonly [
  pattern: RegExp,
  explain: (match: readonly string[], at: ExplanationContext) => Explanation | string | null,
]

/** The error that a rule explains. */
export type ExplanationContext = {
  readonly root: string
  /** First position in the stack that is in the app's own files, or `null`. */
  readonly place: SourcePlace | null
  readonly isBrowser: boolean
}

let rules: readonly ExplanationRule[] = []

/** Sets the explanation rules from the package that provides devtools. */
export function setRules(all: readonly ExplanationRule[]): void {
  rules = all
}

/**
 * Explains an error with the first rule that matches.
 *
 * @param root absolute path of the app's folder. Code outside of it, or in packages, isn't the
 * author's
 */
export function explainError(error: ErrorText, root: string): Explained {
  const stack = appFrames(error.stack)
  const errorPlace = error.place ?? firstPlaceIn(stack, root) ?? namedFile(error, root)
  const at = { root, place: errorPlace, isBrowser: error.isBrowser === true }
  const text = stripVTControlCharacters(error.message)
    .trim()
    // Bundlers write a call to an imported function as `(0 , module.name)`.
    .replace(/\(0 , [\w$]+\.(.+?)\)/g, '$1')
  for (const [pattern, explain] of rules) {
    const match = pattern.exec(text)
    const explanation = match && explain(match, at)
    if (!explanation) continue
    const { message, place = errorPlace } =
      typeof explanation === 'string' ? { message: explanation } : explanation
    return { message, stack, place, frame: frameAt(place) }
  }
  const isPlain = /^(?:Error|FrameworkError)$/.test(error.name)
  const named = isPlain || text.startsWith(error.name) ? text : `${error.name}: ${text}`
  const hint = packageHint({
    message: text,
    code: error.code ?? null,
    phase: at.isBrowser ? 'browser' : null,
  })
  const message = hint === null ? named : `${named}\n${hint}`
  return { message, stack, place: errorPlace, frame: frameAt(errorPlace) }
}

/** Finds the file that is mentioned in a framework error. */
function namedFile({ name, message }: ErrorText, root: string): SourcePlace | null {
  const [, named] = /(?:^|\s)(app\/\S+\.\w+)/.exec(name === 'FrameworkError' ? message : '') ?? []
  const file = named && path.join(root, named)
  return file && readSource(file) !== null ? { file, line: 1, column: 1 } : null
}

/** Finds the first frame in the project's own files. */
export function firstPlaceIn(
  stack: string,
  root: string,
  system: PlatformPath = path,
): SourcePlace | null {
  for (const { file: name, line, column } of frameLines(stack).map(parseFrame)) {
    if (name === null) continue
    const file = filePathOf(name.replace(/\?.*$/, ''), system)
    if (!system.isAbsolute(file) || !isBelow(root, file, system)) continue
    if (!/[\\/]node_modules[\\/]/.test(file)) return { file, line, column }
  }
  return null
}

const tools =
  /node:|<anonymous>|\(native\)|\/node_modules\/(?:vite|rolldown|react|react-dom|scheduler|waymark|@waymark|@vitejs)\/|\/deps\w*\/(?:react|chunk)|\/waymark\/dist\/|\/@vite\//

/** Removes the frames inside Node, Vite, React and the framework. */
function appFrames(stack: string): string {
  return frameLines(stripVTControlCharacters(stack))
    .filter((line) => / ?\(?\S+:\d+:\d+\)?$/.test(line) && !tools.test(line))
    .filter((line) => !line.includes(frameworkFolder))
    .map((line) => `    ${line}`)
    .join('\n')
}

function frameAt(place: SourcePlace | null): string | null {
  const source = place && readSource(place.file)
  return source ? `${codeFrame(source, place.line, place.column)}\n` : null
}
