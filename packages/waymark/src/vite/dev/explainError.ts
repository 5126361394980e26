import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { codeFrame } from '../../journal/sourceMaps.ts'
import { frameLines, parseFrame } from '../../journal/thrownText.ts'
import { ownFolder } from '../config/ownFiles.ts'
import { isClientText } from '../inside/findPackages.ts'

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

type Explanation = { readonly message: string; readonly place?: SourcePlace | null }

/** Puts what React and Vite throw into words that name the app's file and what to do. */
type Rule = readonly [
  pattern: RegExp,
  explain: (found: readonly string[], at: Surroundings) => Explanation | string | null,
]

type Surroundings = {
  readonly root: string
  readonly place: SourcePlace | null
  isBrowser: boolean
}

const hooks =
  'use(?:State|Effect|LayoutEffect|InsertionEffect|Reducer|Ref|Context|Transition|DeferredValue|Optimistic|ActionState|ImperativeHandle|SyncExternalStore|EffectEvent)|createContext'

/** What Vite's servers and its bundler say about an import that leads nowhere. */
const unresolvedImports = [
  /^Cannot find module '(.+?)' imported from '(.+?)'/,
  /^Failed to load url (\S+) \(resolved id: .+?\) in (.+?)\. Does the file exist\?/,
  /^Failed to resolve import "(.+?)" from "(.+?)"\. Does the file exist\?/,
  /^\[vite\]: Rolldown failed to resolve import "(.+?)" from "(.+?)"/,
  /^\[UNRESOLVED_IMPORT\] Could not resolve '(.+?)' in (\S+)/,
]

const rules: readonly Rule[] = [
  [
    /^(?:Transform failed with 1 error:\s*)?\[PARSE_ERROR\] ([\s\S]*?╭─\[ (.+?):(\d+):(\d+) \][\s\S]*)/,
    ([, message = '', file = '', line, column], { root }) => ({
      message,
      place: { file: path.resolve(root, file), line: Number(line), column: Number(column) },
    }),
  ],
  ...unresolvedImports.map(
    (pattern): Rule => [
      pattern,
      ([, name = '', file = ''], at) =>
        notFound(name, path.isAbsolute(file) ? file : (at.place?.file ?? file), at),
    ],
  ),
  [
    new RegExp(`^(?:\\(0 , )?(?:[\\w$]+\\.)*(${hooks})\\)? is not a function`),
    ([, name], { root, place, isBrowser }) =>
      isBrowser
        ? null
        : `${name} is for client components, and ${place ? relative(root, place.file) : 'a package'} runs on the server. Begin the file with 'use client', or move what needs it into a file of its own that does.`,
  ],
  [
    /^Unexpectedly client reference export '(.+?)' is called on server/,
    ([, name = '']) =>
      /^use[A-Z]/.test(name)
        ? `${name} is for client components, and was called on the server. Call it in a file that begins with 'use client'.`
        : `${name} comes from a 'use client' file, and was called on the server, where it can only be rendered: <${name} />. Call it in a client component.`,
  ],
  [
    /^Event handlers cannot be passed to Client Component props\.\s*([\s\S]*?)\s*If you need/,
    ([, shown]) =>
      `A server component can't have event handlers: its code does not run in the browser.\n\n  ${shown}\n\nMove the element into a file that begins with 'use client'.`,
  ],
  [
    /^(?:Only plain objects, and a few built-ins|Functions cannot be passed directly to Client)[^\n]*\s*([\s\S]*)/,
    ([message = '', shown]) =>
      `${message.startsWith('F') ? 'A function' : 'An instance of a class'} can't be a prop of a client component: what a server component passes on is sent as data.\n\n  ${shown}\n\n${
        message.startsWith('F')
          ? "Write it in the client component, or make it a server action: 'use server'."
          : 'Pass a plain object, or what it is made of.'
      }`,
  ],
  [
    /^(?:An unknown Component|<?(\w+)>?) is an async Client Component/,
    ([, name], { root, place }) => {
      const found = findAsyncComponent(root, name ?? '[A-Z]\\w*')
      const which = found
        ? `The client component ${found.name} in ${relative(root, found.file)}`
        : 'A client component'
      return {
        message: `${which} is async, which only server components can be. Load the data in a server component and pass it on as a prop; or remove 'use client' from the file.`,
        place: found ?? place,
      }
    },
  ],
  [
    /^(?:Hydration failed|A tree hydrated but)[\s\S]*\n[+-]\s{2,}[\s\S]*/,
    ([message = '']) => mismatch(message),
  ],
  [
    /^'server-only' cannot be imported in client build .*\s+imported by (\S+)/,
    ([, named = ''], { root }) => {
      const file = path.resolve(root, named)
      return {
        message: `${relative(root, file)} imports server-only, and is part of the code of client components. Read what is needed in a server component and pass it on as a prop, or in a server action.`,
        place: findText(file, 'server-only'),
      }
    },
  ],
  [
    /^process is not defined/,
    () =>
      'process is not defined: browsers have no process.env. In a client component read import.meta.env.PUBLIC_…, or have a server component pass the value on.',
  ],
  [
    /^(window|document|localStorage|sessionStorage|navigator|location|matchMedia) is not defined/,
    ([, name], { root, place, isBrowser }) =>
      isBrowser
        ? null
        : `${name} is for browsers, and ${place ? relative(root, place.file) : 'a package'} runs on the server, too: the HTML of client components is rendered there. Read it in an effect or in an event handler.`,
  ],
  [
    /^(cookies|headers|draftMode)\(\.\.\.\)\.(\w+) is not a function/,
    ([, name, member]) => `${name}() returns a promise: write (await ${name}()).${member}().`,
  ],
  [
    /^Objects are not valid as a React child \(found: (?:\[object (Promise)\]|object with keys (\{.*?\})|(.+?))\)/,
    ([, promise, keys, other]) =>
      promise
        ? "A promise can't be shown here. Await it in a server component, or read it with use()."
        : `An object ${keys ? `with the keys ${keys}` : `(${other})`} can't be shown: only text, numbers and elements can. Write one of its members, such as {user.name}.`,
  ],
]

// React marks what the browser rendered with `+`, what the server sent with `-`.
const diffLine = /^[+-]\s{2,}/
const ownElement =
  /^\s*<(?:Decider|Segment|Slot|CatchErrors|SignalBoundary|RemoveDuplicate\w+|Activity)\b/
const linesAround = 5

/** The difference and the elements around it: React writes the whole page. */
function mismatch(message: string): string {
  const lines = message.split('\n').filter((line) => !ownElement.test(line))
  const first = lines.findIndex((line) => diffLine.test(line))
  const last = lines.findLastIndex((line) => diffLine.test(line))
  const tree = lines.findIndex((line) => /^\s{2,}\.\.\.|^\s+</.test(line))
  const difference = lines.slice(Math.max(tree, first - linesAround), last + linesAround)
  return `Hydration: the browser rendered something different from the server.\n\n${difference.join('\n')}\n\nRender the same in both: what only the browser knows (window, time zone, random numbers) belongs into an effect.`
}

function notFound(source: string, importer: string, { root }: { root: string }): Explanation {
  const file = path.resolve(root, importer)
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(source) ?? []
  const what = /^[./]/.test(source)
    ? 'which does not exist. Correct the path.'
    : name === 'next'
      ? "which is another framework's. Use what waymark has: Link from 'waymark', hooks from 'waymark/client', cookies and headers from 'waymark/server'; or run npm install next@npm:@waymark/next, which has the names of its modules."
      : `which is not installed. Run npm install ${name}, or correct the name.`
  const message = `${relative(root, file)} imports ${source}, ${what}`
  return { message, place: findText(file, source) }
}

/** Finds where a file has a text in quotation marks. */
export function findText(file: string, text: string): SourcePlace | null {
  const source = read(file)
  const at = ["'", '"'].map((mark) => source?.indexOf(mark + text + mark) ?? -1).find((n) => n >= 0)
  if (source === null || at === undefined) return null
  const before = source.slice(0, at).split('\n')
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** Finds an async component in a `'use client'` file: React names its element at most. */
function findAsyncComponent(folder: string, name: string): (SourcePlace & { name: string }) | null {
  const declared = new RegExp(`\\basync function (${name})\\b|\\b(${name}) = async\\b`)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (/^\.|^node_modules$/.test(entry.name)) continue
    if (entry.isDirectory()) {
      const found = findAsyncComponent(file, name)
      if (found) return found
    }
    const text = /\.[jt]sx$/.test(file) ? read(file) : null
    const match = text && isClientText(text) ? declared.exec(text) : null
    if (!match) continue
    const before = match.input.slice(0, match.index).split('\n')
    const found = match[1] ?? match[2] ?? ''
    return { name: found, file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  }
  return null
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
  const message = isPlain || text.startsWith(error.name) ? text : `${error.name}: ${text}`
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
  return file && read(file) !== null ? { file, line: 1, column: 1 } : null
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
  const source = place && read(place.file)
  return source ? `${codeFrame(source, place.line, place.column)}\n` : null
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The file was deleted.
    return null
  }
}

function relative(root: string, file: string): string {
  return file.startsWith(root + path.sep) ? path.relative(root, file) : file
}
