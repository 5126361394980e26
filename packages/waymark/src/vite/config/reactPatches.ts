import type { Plugin } from 'vite'
import { reactServerDom } from './nodeReact.ts'
import { ownFile, ownFilePattern, ownFiles } from './ownFiles.ts'

/** A change of React's text in one environment of a build. */
type Patch = {
  readonly environment: 'rsc' | 'ssr' | 'client'
  /** How the names of the changed files end. */
  readonly file: string
  /** What is replaced: each has to be there. */
  readonly changes: readonly (readonly [text: RegExp, replacement: string])[]
  /** Put before the file. */
  readonly head?: string
  /** Whether an app may do without the file. */
  readonly isOptional?: boolean
}

const references = 'virtual:waymark/server-references'
const domInternals = 'virtual:waymark/react-dom-internals'

/** What React's files share in a browser, in modules of its own. */
export const sharedModules: Readonly<Record<string, string>> = {
  [references]: 'exports.known = new WeakMap()',
  // As `react-dom` begins: its functions do nothing until the renderer has put its own in place.
  [domInternals]: `const d = {}
for (const name of 'frDCLmXSM') d[name] = () => {}
exports.__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE = { d, p: 0, findDOMNode: null }`,
}

/** Of `react-dom` itself, the renderer and the decoder need no more. */
const requireOfDom = [/require\("react-dom"\)/, `require('${domInternals}')`] as const

/** All changes that a build makes to React's text. */
export const reactPatches: readonly Patch[] = [
  {
    // React's build for Bun writes documents as text. Of Bun it uses the hash only, for the keys of
    // form state; they have to be those of React's Node build, which may read the form.
    // docs/decisions/content-once.md
    environment: 'ssr',
    file: 'react-dom-server.bun.production.js',
    changes: [[/\bBun\.hash\(/g, 'hashForBun(']],
    head: "const hashForBun = (text) => require('node:crypto').createHash('md5').update(text).digest('hex');",
  },
  {
    // Creates the signal of a rendering, and the error that ends it, only when somebody reads them;
    // writes rows without a copy of the model, and doesn't remember short elements.
    // docs/decisions/rendering-cost.md
    environment: 'rsc',
    file: 'react-server-dom-webpack-server.node.production.js',
    changes: [
      [/\.cacheController = new AbortController\(\)/, '.cacheController = new RenderLifetime()'],
      [
        /\.cacheController\.abort\(\s*Error\(\s*("This render completed successfully[^"]*")\s*\)\s*\)/,
        '.cacheController.complete($1)',
      ],
      // The writer counts, too.
      [/var serializedSize = 0;/, ''],
      [/\bserializedSize\b/g, 'rows.size'],
      [/3200 < rows\.size/g, 'rows.isFull()'],
      // A text in a row of its own tells its length: a payload with one is no longer lines only.
      [
        /1024 <= value\.length(?= && null !== byteLengthOfChunk\s+\? \(request)/,
        '32000 <= value.length',
      ],
      // A model is resolved without what is in it, and written instead of copied.
      [
        /(value = JSCompiler_inline_result;\s+)if \(null === value \|\| "object" !== typeof value\) return value;[\s\S]*?return prevImplicitSlot;\n\}/,
        '$1return value;\n}',
      ],
      [
        /\(value = resolveModel\(\s*request,\s*task,\s*\{ "": value \},\s*"",\s*value\s*\)\),\s*\(value = stringify\(value\)\),\s*\(task =\s*task\.id\.toString\(16\) \+ ":" \+ value \+ "\\n"\),/,
        '(task = rows.write(request, task, value)),',
      ],
      [
        /\(parent = writtenObjects\.get\(parent\)\)/,
        '(parent = rows.pathOf(writtenObjects, parent))',
      ],
      [
        /\(writtenObjects = elementReference\.get\(parent\)\)/,
        '(writtenObjects = rows.pathOf(elementReference, parent))',
      ],
      [
        /\(writtenObjects\.has\(request\) \|\|\s+writtenObjects\.set\(request, elementReference\)\)/,
        'rows.enter(writtenObjects, request, elementReference)',
      ],
    ],
    head: `const { RenderLifetime } = require('${ownFile('renderLifetime')}');
const rows = require('${ownFile('rowWriter')}').createRowWriter({ resolve: resolveModel, renderElement });`,
  },
  {
    // `React.lazy` keeps a rejection for ever. Every boundary that has to get it has rendered after
    // this; what is rendered later, as by a `reset()`, loads again.
    environment: 'client',
    file: 'react.production.js',
    changes: [
      [
        /\(payload\._status = 2\),\s*\(payload\._result = error\),/,
        '(payload._status = 2), setTimeout(() => { payload._status = -1; payload._result = ctor; }, 300), (payload._result = error),',
      ],
    ],
  },
  {
    environment: 'client',
    file: 'react-dom-client.production.js',
    changes: [
      requireOfDom,
      // React 19.3 takes this function and never calls it. One that did would replace the entry of
      // the history, and with it what the router has stored there.
      [/(?<!function )defaultOnDefaultTransitionIndicator/g, '() => {}'],
    ],
  },
  {
    // Only an app's own imports of `react-dom` need this file: `createPortal`, `useFormStatus` …
    environment: 'client',
    file: 'react-dom.production.js',
    changes: [
      [
        /Internals = \{\s*d: \{[\s\S]*?findDOMNode: null\s*\}/,
        `Internals = require('${domInternals}').__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE`,
      ],
    ],
    isOptional: true,
  },
  {
    // Decoder and encoder share one table of server references: see `replyEncoderPlugin`.
    environment: 'client',
    file: 'react-server-dom-webpack-client.browser.production.js',
    changes: [
      requireOfDom,
      [
        /knownServerReferences = new WeakMap\(\)/,
        `knownServerReferences = require('${references}').known`,
      ],
    ],
  },
]

/** @throws when the text is not the one that the patch was written for */
export function applyPatch({ file, changes, head }: Patch, code: string): string {
  const changed = changes.reduce((text, [pattern, replacement]) => {
    // Not `test`: with the flag g it would remember where it was.
    if (text.search(pattern) === -1) throw unpatchable(file, `${pattern} is not in it`)
    return text.replace(pattern, replacement)
  }, code)
  return head === undefined ? changed : `${head}\n${changed}`
}

function unpatchable(file: string, reason: string): Error {
  return new Error(
    `Waymark can't adapt React's ${file}: ${reason}. Install the versions of React and @vitejs/plugin-rsc that this version of Waymark was made for.`,
  )
}

/** Changes React's text where a build bundles it, and fails where it can't. */
export function reactPatchesPlugin(): Plugin {
  const applied = new Set<Patch>()
  return {
    name: 'waymark:react-patches',
    apply: 'build',
    transform: {
      filter: { id: /(?:react|react-dom-server|react-server-dom-webpack)[\w.-]*\.production\.js/ },
      handler(code, id) {
        const { name, config } = this.environment
        // plugin-rsc has emptied the modules while it only reads the app.
        if (!config.build.write) return null
        const patch = reactPatches.find(
          (each) => each.environment === name && id.includes(each.file),
        )
        if (!patch) return null
        applied.add(patch)
        return { code: applyPatch(patch, code), map: patch.head ? { mappings: '' } : null }
      },
    },
    generateBundle() {
      const { name, config } = this.environment
      const { external } = config.resolve
      // An app may leave React out of its bundles.
      if (!config.build.write || external === true || external.length > 0) return
      for (const patch of reactPatches) {
        if (patch.environment !== name || applied.has(patch) || patch.isOptional) continue
        throw unpatchable(patch.file, 'no such file was bundled')
      }
    },
  }
}

const encoderQuery = '?waymark-encoder'

/**
 * Cuts React's client runtime in two for browsers: a bundler keeps a CommonJS module in one piece,
 * and a fifth of it is the encoder, which only calls of server actions need. For them the module
 * is bundled a second time; both have one table of server references.
 * @see docs/decisions/client-code.md
 */
export function replyEncoderPlugin(): Plugin {
  return {
    name: 'waymark:reply-encoder',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: {
      order: 'pre',
      filter: { id: /^virtual:waymark\/|^@vitejs\/plugin-rsc\/react\/browser$/ },
      async handler(source, importer) {
        if (source in sharedModules) return `\0${source}`
        if (!ownFilePattern('callEncoding').test(importer ?? '')) return null
        const runtime = await this.resolve(`${reactServerDom}/client.browser`, importer)
        const file = 'cjs/react-server-dom-webpack-client.browser.production.js'
        const resolved = runtime?.id.replace(/client\.browser\.js$/, file)
        return resolved ? resolved + encoderQuery : null
      },
    },
    load: {
      filter: { id: /^\0virtual:waymark\// },
      handler: (id) => sharedModules[id.slice(1)] ?? null,
    },
  }
}

/**
 * Replaces modules of plugin-rsc and Vite by shorter ones in browsers: plugin-rsc's entries to
 * React hold code for development only, and Vite's helper of `import()` is twice as long.
 * @see docs/decisions/client-code.md
 */
export function shorterModulesPlugin(): Plugin {
  const preloadHelper = `export { preload as __vitePreload } from ${JSON.stringify(ownFile('preload'))}`
  return {
    name: 'waymark:shorter-modules',
    enforce: 'pre',
    apply: 'build',
    load: {
      filter: {
        id: [
          /^\0vite\/preload-helper/,
          /\/@vitejs\/plugin-rsc\/dist\/(?:react|core)\/browser\.js$/,
        ],
      },
      handler(id) {
        if (id.startsWith('\0')) return preloadHelper
        const isClient = this.environment.name === 'client'
        return isClient ? `export * from ${JSON.stringify(ownFile('reactBrowser'))}` : null
      },
    },
    transform: {
      filter: { id: /^\0virtual:vite-rsc\/client-references$/ },
      handler: (code) => ({ code: importOwnComponents(code), map: { mappings: '' } }),
    },
  }
}

/** Takes the framework's own client components, which are in every page's file, without `import()`. */
function importOwnComponents(code: string): string {
  const group = `"virtual:vite-rsc/client-references/group/facade:[^"]*/${ownFiles.rscEntry}\\.\\w+"`
  const [imported, source] = new RegExp(`await import\\((${group})\\)`).exec(code) ?? []
  if (imported === undefined) return code
  return `import * as own from ${source};\n${code.replaceAll(imported, 'own')}`
}

/**
 * Encrypts what inline actions close over with the app's key ring: plugin-rsc's own runtime knows
 * one key, created by every build.
 */
export function boundArgsPlugin(): Plugin {
  return {
    name: 'waymark:bound-args',
    enforce: 'pre',
    resolveId: {
      order: 'pre',
      filter: { id: /plugin-rsc\/(?:dist\/)?utils\/encryption-runtime(?:\.js)?$/ },
      handler: () => ownFile('boundArgs'),
    },
  }
}
