import { ownFile } from '../config/ownFiles.ts'

/** Names of the changes to other packages' text, as `src/react/README.md` lists them. */
export type PatchId =
  | 'row-writer'
  | 'render-lifetime'
  | 'fizz-text'
  | 'dom-internals'
  | 'action-encoder'
  | 'preload-helper'
  | 'browser-runtime'
  | 'dev-references'
  | 'node-react'

/** Replacements in one text: each has to be possible. */
export type Changes = readonly (readonly [text: RegExp, replacement: string])[]

export type FilePatch = {
  readonly package: 'react' | 'react-dom' | 'react-server-dom'
  /** Below the package's folder. */
  readonly file: string
  readonly changes: Changes
  readonly head?: string
  /** A use of something that the changed text lacks: then the patch is not possible. */
  readonly unless?: RegExp
}

/** A change of React's text in one environment of a build: all of its files, or none. */
export type ReactPatch = {
  readonly id: PatchId
  readonly environment: 'rsc' | 'ssr' | 'client'
  readonly files: readonly FilePatch[]
  /** Absent from the first file when React does by itself what the patch is for. */
  readonly only?: RegExp
}

const references = 'virtual:waymark/server-references'
const domInternals = 'virtual:waymark/react-dom-internals'

/** What React's files share in a browser, in modules of its own. */
export const sharedModules: Readonly<Record<string, string>> = {
  [references]: 'exports.known = new WeakMap()',
  // Empty as in `react-dom`, until the renderer puts its own functions in place.
  [domInternals]: `const d = {}
for (const name of 'frDCLmXSM') d[name] = () => {}
exports.__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE = { d, p: 0, findDOMNode: null }`,
}

const flightServer = 'cjs/react-server-dom-webpack-server.node.production.js'
const flightClient = 'cjs/react-server-dom-webpack-client.browser.production.js'

/** Renderer and decoder need no more of `react-dom`. */
const withoutReactDom = {
  changes: [[/require\("react-dom"\)/, `require('${domInternals}')`]],
  unless: /\bReactDOM\.(?!__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE\b)/,
} as const

const rowWriterChanges: Changes = [
  [/var serializedSize = 0;/, ''],
  [/\bserializedSize\b/g, 'rows.size'],
  [/3200 < rows\.size/g, 'rows.isFull()'],
  // A row of its own for a text is no line.
  [
    /1024 <= value\.length(?= && null !== byteLengthOfChunk\s+\? \(request)/,
    '32000 <= value.length',
  ],
  // The row writer resolves what is in a model as it writes it.
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

/** React's builds for documents keep values in the same contexts, and each knows only its own. */
const withoutLeftContexts: Changes = [
  [/prevDispatcher === HooksDispatcher && (switchContext\(prevContext\))/, '$1'],
]

export const reactPatches: readonly ReactPatch[] = [
  {
    id: 'fizz-text',
    environment: 'ssr',
    files: [
      {
        package: 'react-dom',
        file: 'server.bun.js',
        changes: [[/exports\.renderToPipeableStream = /, '$&']],
      },
      {
        // It uses Bun's hash for the keys of form state, which have to equal those of React's build for Node.
        package: 'react-dom',
        file: 'cjs/react-dom-server.bun.production.js',
        changes: [[/\bBun\.hash\(/g, 'hashForBun('], ...withoutLeftContexts],
        unless: /\bBun\b(?!\.hash\()/,
        head: "const hashForBun = (text) => require('node:crypto').createHash('md5').update(text).digest('hex');",
      },
      // An app may render mails or feeds by any of them.
      ...['.node', '-legacy.node', '.edge', '.browser', '-legacy.browser'].map((name) => ({
        package: 'react-dom' as const,
        file: `cjs/react-dom-server${name}.production.js`,
        changes: withoutLeftContexts,
      })),
    ],
  },
  {
    id: 'render-lifetime',
    environment: 'rsc',
    only: /cacheController/,
    files: [
      {
        package: 'react-server-dom',
        file: flightServer,
        changes: [
          [
            /\.cacheController = new AbortController\(\)/,
            '.cacheController = new RenderLifetime()',
          ],
          [
            /\.cacheController\.abort\(\s*Error\(\s*("This render completed successfully[^"]*")\s*\)\s*\)/,
            '.cacheController.complete($1)',
          ],
        ],
        head: `const { RenderLifetime } = require('${ownFile('renderLifetime')}');`,
      },
    ],
  },
  {
    id: 'row-writer',
    environment: 'rsc',
    files: [
      {
        package: 'react-server-dom',
        file: flightServer,
        changes: rowWriterChanges,
        head: `const rows = require('${ownFile('rowWriter')}').createRowWriter({ resolve: resolveModel, renderElement });`,
      },
    ],
  },
  {
    // One object for all: hints and forms would be lost between two.
    id: 'dom-internals',
    environment: 'client',
    files: [
      { package: 'react-dom', file: 'cjs/react-dom-client.production.js', ...withoutReactDom },
      { package: 'react-server-dom', file: flightClient, ...withoutReactDom },
      {
        // This file is for an app's own imports of `react-dom`.
        package: 'react-dom',
        file: 'cjs/react-dom.production.js',
        changes: [
          [
            /Internals = \{\s*d: \{\s*f: noop,\s*r: function \(\) \{[\s\S]*?\},\s*D: noop,\s*C: noop,\s*L: noop,\s*m: noop,\s*X: noop,\s*S: noop,\s*M: noop\s*\},\s*p: 0,\s*findDOMNode: null\s*\}/,
            `Internals = require('${domInternals}').__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE`,
          ],
        ],
      },
    ],
  },
  {
    // See `replyEncoderPlugin`.
    id: 'action-encoder',
    environment: 'client',
    files: [
      {
        package: 'react-server-dom',
        file: flightClient,
        changes: [
          [
            /knownServerReferences = new WeakMap\(\)/,
            `knownServerReferences = require('${references}').known`,
          ],
        ],
      },
    ],
  },
]

// Each render has references of its own.
const rememberedReferences = 1_000

/** Bounds plugin-rsc's memory of client references: an entry of each render holds its request. */
export const boundReferences: Changes = [
  [/fn\.call\(this, argument\)/, 'outsideOfRequests(() => fn.call(this, argument))'],
  [
    /cache\.set\(argument, newValue\);/,
    `$& if (cache.size > ${rememberedReferences}) cache.delete(cache.keys().next().value);`,
  ],
  [
    /^/,
    `import { AsyncLocalStorage as RequestStorage } from 'node:async_hooks'
const outsideOfRequests = RequestStorage.snapshot()
`,
  ],
]

/** @returns `null` when the text is not the one that the changes were written for */
export function applyChanges(code: string, changes: Changes): string | null {
  let text = code
  for (const [pattern, replacement] of changes) {
    // Not `test`: with the flag g it would remember where it was.
    if (text.search(pattern) === -1) return null
    text = text.replace(pattern, replacement)
  }
  return text
}

/**
 * Applies all patches of a file.
 * @returns `null` when one of them is not possible
 */
export function applyFilePatches(code: string, patches: readonly FilePatch[]): string | null {
  let text: string | null = code
  for (const { changes, head, unless } of patches) {
    text = unless?.test(text) ? null : applyChanges(text, changes)
    if (text === null) return null
    if (head !== undefined) text = `${head}\n${text}`
  }
  return text
}
