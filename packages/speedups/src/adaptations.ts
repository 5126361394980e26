import { fileURLToPath } from 'node:url'
import { normalizePath } from 'vite'
import type { SpeedupsOptions } from './options.ts'

/** Replacements in the text of one file. Each pattern has to match. */
export type Replacements = readonly (readonly [pattern: RegExp, replacement: string])[]

/** Describes how one of React's files is adapted. */
export type AdaptedFile = {
  readonly package: 'react-dom' | 'react-server-dom'
  /** Path below the package's folder. */
  readonly file: string
  readonly replacements: Replacements
  /** Code that is put before the file's own. */
  readonly head?: string
  /** Code that the adapted file could not run. A file that contains it does not fit. */
  readonly unsupported?: RegExp
}

/** A change of React in one environment of a build: all of its files are adapted, or none. */
export type Adaptation = {
  readonly name: keyof SpeedupsOptions
  readonly environment: 'rsc' | 'ssr' | 'client'
  readonly files: readonly AdaptedFile[]
  /** Code in the first file that the adaptation replaces. A React without this code needs no adaptation. */
  readonly neededFor?: RegExp
  /** The consequence for the app if the adaptation does not fit, as a sentence for the build's output. */
  readonly loss: string
}

const flightServer = 'cjs/react-server-dom-webpack-server.node.production.js'
const flightClient = 'cjs/react-server-dom-webpack-client.browser.production.js'

/** A module that both copies of React's client runtime share. See `encoderPlugin`. */
export const sharedReferences = 'virtual:waymark-speedups/server-references'

/** Writes the call that loads a module of this package. A path may contain quotes. */
export function requireCall(file: string, base: string | URL = import.meta.url): string {
  return `require(${JSON.stringify(normalizePath(fileURLToPath(new URL(file, base))))})`
}

const rowReplacements: Replacements = [
  [/var serializedSize = 0;/, ''],
  [/\bserializedSize\b/g, 'rows.size'],
  [/3200 < rows\.size/g, 'rows.isFull()'],
  // React gives a text of 1,024 bytes a row that begins with its length instead of ending with a line.
  [
    /1024 <= value\.length(?= && null !== byteLengthOfChunk\s+\? \(request)/,
    '32000 <= value.length',
  ],
  // React resolves the members of an object before it returns. The row writer resolves them later.
  [
    /(value = JSCompiler_inline_result;\s+)if \(null === value \|\| "object" !== typeof value\) return value;[\s\S]*?return prevImplicitSlot;\n\}/,
    '$1return value;\n}',
  ],
  [
    /\(value = resolveModel\(\s*request,\s*task,\s*\{ "": value \},\s*"",\s*value\s*\)\),\s*\(value = stringify\(value\)\),\s*\(task =\s*task\.id\.toString\(16\) \+ ":" \+ value \+ "\\n"\),/,
    '(task = rows.write(request, task, value)),',
  ],
  [/\(parent = writtenObjects\.get\(parent\)\)/, '(parent = rows.pathOf(writtenObjects, parent))'],
  [
    /\(writtenObjects = elementReference\.get\(parent\)\)/,
    '(writtenObjects = rows.pathOf(elementReference, parent))',
  ],
  [
    /\(writtenObjects\.has\(request\) \|\|\s+writtenObjects\.set\(request, elementReference\)\)/,
    'rows.enter(writtenObjects, request, elementReference)',
  ],
]

/**
 * React's builds for Node and for Bun keep the values of contexts in the same objects, and each restores
 * only the values that it knows of. Without this replacement a document could read a value of another one.
 */
const restoredContexts: Replacements = [
  [/prevDispatcher === HooksDispatcher && (switchContext\(prevContext\))/, '$1'],
]

const all: readonly Adaptation[] = [
  {
    name: 'html',
    environment: 'ssr',
    loss: 'Documents take more processor time.',
    files: [
      {
        package: 'react-dom',
        file: 'server.bun.js',
        replacements: [[/exports\.renderToPipeableStream = /, '$&']],
      },
      {
        // Keys of form state have to be those of React's build for Node, so the hash is the same.
        package: 'react-dom',
        file: 'cjs/react-dom-server.bun.production.js',
        replacements: [[/\bBun\.hash\(/g, 'hashForBun('], ...restoredContexts],
        unsupported: /\bBun\b(?!\.hash\()/,
        head: "const hashForBun = (text) => require('node:crypto').createHash('md5').update(text).digest('hex');",
      },
      // An app may render mails or feeds with any of these.
      ...['.node', '-legacy.node', '.edge', '.browser', '-legacy.browser'].map((build) => ({
        package: 'react-dom' as const,
        file: `cjs/react-dom-server${build}.production.js`,
        replacements: restoredContexts,
      })),
    ],
  },
  {
    name: 'lifetime',
    environment: 'rsc',
    loss: 'Rendering takes more processor time.',
    neededFor: /cacheController/,
    files: [
      {
        package: 'react-server-dom',
        file: flightServer,
        replacements: [
          [
            /\.cacheController = new AbortController\(\)/,
            '.cacheController = new RenderLifetime()',
          ],
          [
            /\.cacheController\.abort\(\s*Error\(\s*("This render completed successfully[^"]*")\s*\)\s*\)/,
            '.cacheController.complete($1)',
          ],
        ],
        head: `const { RenderLifetime } = ${requireCall('./rendering/renderLifetime.js')};`,
      },
    ],
  },
  {
    name: 'rows',
    environment: 'rsc',
    loss: 'Rendering takes more processor time.',
    files: [
      {
        package: 'react-server-dom',
        file: flightServer,
        replacements: rowReplacements,
        head: `const rows = ${requireCall('./rows/rowWriter.js')}.createRowWriter({ resolve: resolveModel, renderElement });`,
      },
    ],
  },
  {
    name: 'encoder',
    environment: 'client',
    loss: 'Pages load more JavaScript.',
    files: [
      {
        package: 'react-server-dom',
        file: flightClient,
        replacements: [
          [
            /knownServerReferences = new WeakMap\(\)/,
            `knownServerReferences = require(${JSON.stringify(sharedReferences)}).known`,
          ],
        ],
      },
    ],
  },
]

/** Lists the adaptations that an app has not switched off. */
export function selectAdaptations(
  switches: Readonly<Record<keyof SpeedupsOptions, boolean>>,
): readonly Adaptation[] {
  return all.filter(({ name }) => switches[name])
}

/**
 * Replaces pieces of a file's text.
 * @returns `null` for a text that one of the patterns does not match
 */
export function replaceAllOrNothing(code: string, replacements: Replacements): string | null {
  let text = code
  for (const [pattern, replacement] of replacements) {
    // `pattern.test()` would remember its position in a pattern with the flag `g`.
    if (text.search(pattern) === -1) return null
    text = text.replace(pattern, replacement)
  }
  return text
}

/** @returns the adapted text; `null` for a text that the adaptation does not fit */
export function adaptText(code: string, file: AdaptedFile): string | null {
  if (file.unsupported?.test(code)) return null
  const text = replaceAllOrNothing(code, file.replacements)
  if (text === null || file.head === undefined) return text
  return `${file.head}\n${text}`
}
