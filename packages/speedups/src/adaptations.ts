import { fileURLToPath } from 'node:url'
import { normalizePath } from 'vite'
import type { SpeedupsOptions } from './options.ts'

/** Replacements in one file's code. Each pattern must match. */
export type Replacements = readonly (readonly [pattern: RegExp, replacement: string])[]

/** Describes how one of React's files is adapted. */
export type AdaptedFile = {
  readonly package: 'react-dom' | 'react-server-dom'
  /** Path within the package's folder. */
  readonly file: string
  readonly replacements: Replacements
  /** Code that is inserted before the file's code. */
  readonly head?: string
  /** Code that the adapted file could not run. A file that contains this code can't be adapted. */
  readonly unsupported?: RegExp
}

/**
 * A change of React in one environment of a build. Either all of the adaptation's files are adapted, or
 * none.
 */
export type Adaptation = {
  readonly name: keyof SpeedupsOptions
  readonly environment: 'rsc' | 'ssr' | 'client'
  readonly files: readonly AdaptedFile[]
  /**
   * Code in the first file that the adaptation replaces. A React version without this code needs no
   * adaptation.
   */
  readonly neededFor?: RegExp
  /** Sentence for the build's output about the consequence for the app if the adaptation doesn't fit. */
  readonly loss: string
}

const flightServer = 'cjs/react-server-dom-webpack-server.node.production.js'
const flightClient = 'cjs/react-server-dom-webpack-client.browser.production.js'

/** Module that both copies of React's client runtime share. See `encoderPlugin`. */
export const sharedReferences = 'virtual:waymark-speedups/server-references'

/**
 * Returns the code of a `require` call for a module of this package. Encodes the path as JSON, because
 * it may contain quotes.
 */
export function requireCall(file: string, base: string | URL = import.meta.url): string {
  return `require(${JSON.stringify(normalizePath(fileURLToPath(new URL(file, base))))})`
}

const rowReplacements: Replacements = [
  [/var serializedSize = 0;/, ''],
  [/\bserializedSize\b/g, 'rows.size'],
  [/3200 < rows\.size/g, 'rows.isFull()'],
  // Raise the limit of 1,024 bytes from which React writes a string as a separate row.
  [
    /1024 <= value\.length(?= && null !== byteLengthOfChunk\s+\? \(request)/,
    '32000 <= value.length',
  ],
  // Remove the code with which React resolves an object's members, because the row writer resolves them
  // later.
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
 * React's builds for Node and for Bun store context values in the same objects, but each build restores
 * only values that it has set itself. Without this replacement, a document could read a context
 * value of another document.
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
        // Use the same hash as React's build for Node, so that form state has the same keys.
        package: 'react-dom',
        file: 'cjs/react-dom-server.bun.production.js',
        replacements: [[/\bBun\.hash\(/g, 'hashForBun('], ...restoredContexts],
        unsupported: /\bBun\b(?!\.hash\()/,
        head: "const hashForBun = (text) => require('node:crypto').createHash('md5').update(text).digest('hex');",
      },
      // Adapt React's other builds, too, because an app may render emails or feeds with any of them.
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

/** Lists the adaptations that the app has not switched off. */
export function selectAdaptations(
  switches: Readonly<Record<keyof SpeedupsOptions, boolean>>,
): readonly Adaptation[] {
  return all.filter(({ name }) => switches[name])
}

/**
 * Applies all replacements to a file's code.
 * @returns `null` if one of the patterns doesn't match
 */
export function replaceAllOrNothing(code: string, replacements: Replacements): string | null {
  let text = code
  for (const [pattern, replacement] of replacements) {
    // Don't use `pattern.test()`, which remembers its position if the pattern has the flag `g`.
    if (text.search(pattern) === -1) return null
    text = text.replace(pattern, replacement)
  }
  return text
}

/** @returns the adapted code; `null` if the adaptation doesn't fit the code */
export function adaptText(code: string, file: AdaptedFile): string | null {
  if (file.unsupported?.test(code)) return null
  const text = replaceAllOrNothing(code, file.replacements)
  if (text === null || file.head === undefined) return text
  return `${file.head}\n${text}`
}
