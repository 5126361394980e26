import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin } from 'vite'
import { frameworkError } from '../../shared/errors.ts'

// React's Node build makes the keys of form state this way; both builds have to agree, because a
// form may be rendered by one and read by the other.
const bun =
  "const Bun = { hash: (text) => require('node:crypto').createHash('md5').update(text).digest('hex') };\n"

/**
 * Gives React's build for Bun, which writes documents as text, the one thing that it takes from
 * there.
 * @see docs/decisions/fizz-text.md
 */
export function fizzTextPlugin(): Plugin {
  return {
    name: 'waymark:fizz-text',
    apply: 'build',
    transform: {
      filter: { id: /react-dom-server\.bun\.production\.js$/ },
      handler: (code) => ({ code: bun + code, map: { mappings: '' } }),
    },
  }
}

const ownLifetime = normalizePath(
  fileURLToPath(new URL('../../rsc/renderLifetime.js', import.meta.url)),
)

const controller = /\.cacheController = new AbortController\(\)/
const completion =
  /\.cacheController\.abort\(\s*Error\(\s*("This render completed successfully[^"]*")\s*\)\s*\)/

/**
 * Has React make the signal of a rendering, and the error that it ends with, when somebody asks for
 * them.
 * @see docs/decisions/rendering-cost.md
 */
export function renderLifetimePlugin(): Plugin {
  return {
    name: 'waymark:render-lifetime',
    apply: 'build',
    transform: {
      filter: { id: /react-server-dom-webpack-server\.node\.production\.js$/ },
      handler(code) {
        const changed = withRenderLifetime(code)
        return changed === null ? null : { code: changed, map: null }
      },
    },
  }
}

/** @returns `null` for a runtime that does otherwise: it stays as it is */
export function withRenderLifetime(code: string): string | null {
  if (!controller.test(code) || !completion.test(code)) return null
  const changed = code
    .replace(controller, '.cacheController = new RenderLifetime()')
    .replace(completion, '.cacheController.complete($1)')
  return `const { RenderLifetime } = require('${ownLifetime}');\n${changed}`
}

/** Where plugin-rsc keeps its copy of React's server components runtime. */
export const reactServerDom = '@vitejs/plugin-rsc/vendor/react-server-dom'

// The first with all known holes closed, among them CVE-2025-55182: code of strangers on the server.
const oldestSafe = [19, 3, 1] as const

/**
 * Uses one build of React's server components runtime, that for Node: plugin-rsc asks for another
 * one in the modules it generates, and both would be loaded. Refuses a runtime with known holes,
 * be it plugin-rsc's own or a `react-server-dom-webpack` that the app has installed over it.
 */
export function reactServerDomPlugin(): Plugin {
  const checked = new Set<string>()
  return {
    name: 'waymark:react-server-dom',
    enforce: 'pre',
    resolveId: {
      order: 'pre',
      filter: { id: /^@vitejs\/plugin-rsc\/vendor\/react-server-dom\// },
      async handler(source, importer, options) {
        if (this.environment.config.consumer !== 'server') return null
        const wanted = source.replace(/\.edge$/, '.node')
        const resolved = await this.resolve(wanted, importer, { ...options, skipSelf: true })
        // An optimized copy says nothing of where it came from; it was resolved here before.
        if (resolved) assertSafe(resolved.id.replace(/\?.*$/, ''), checked)
        return resolved
      },
    },
  }
}

function assertSafe(file: string, checked: Set<string>): void {
  const manifest = path.join(path.dirname(file), 'package.json')
  if (checked.has(manifest) || !existsSync(manifest)) return
  const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    name?: string
    version?: string
  }
  if (name === 'react-server-dom-webpack' && version && !isSafe(version)) {
    const needed = oldestSafe.join('.')
    throw frameworkError('REACT_SERVER_DOM_TOO_OLD', {
      path: path.dirname(file),
      found: version,
      needed,
    })
  }
  checked.add(manifest)
}

/** Tells whether a version of React's server components runtime has no known holes. */
export function isSafe(version: string): boolean {
  const parts = version.split(/[.-]/).map(Number)
  for (const [index, needed] of oldestSafe.entries()) {
    const part = parts[index] ?? Number.NaN
    if (part !== needed) return part > needed
  }
  // 19.3.1-canary… came before 19.3.1.
  return !version.includes('-')
}

const reactBrowser = normalizePath(
  fileURLToPath(new URL('../../client/assets/reactBrowser.js', import.meta.url)),
)

/**
 * Leads browsers to React's client runtime by `client/reactBrowser.ts`: plugin-rsc's own modules
 * before it hold what only development needs.
 * @see docs/decisions/eager-javascript.md
 */
export function reactBrowserPlugin(): Plugin {
  return {
    name: 'waymark:react-browser',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    load: {
      filter: { id: /\/@vitejs\/plugin-rsc\/dist\/(?:react|core)\/browser\.js$/ },
      handler: () => `export * from ${JSON.stringify(reactBrowser)}`,
    },
  }
}

const productionName = 'react-server-dom-webpack-client.browser.production.js'
const encoderQuery = '?waymark-encoder'
const references = 'virtual:waymark/server-references'

// The decoder, and what the app imports, makes the references that arguments may hold.
const ownTable = 'knownServerReferences = new WeakMap()'
const sharedTable = `knownServerReferences = require('${references}').known`

/**
 * Cuts React's client runtime in two for browsers: a bundler keeps a CommonJS module in one piece,
 * and its encoder is a fifth of it, which only calls of server actions need. For them the module
 * is bundled a second time; both have one table of server references.
 * @see docs/decisions/eager-javascript.md
 */
export function replyEncoderPlugin(): Plugin {
  return {
    name: 'waymark:reply-encoder',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: {
      order: 'pre',
      async handler(source, importer) {
        if (source === references) return `\0${references}`
        if (source !== '@vitejs/plugin-rsc/react/browser') return null
        if (!/\/client\/actions\/encodeReply\.\w+$/.test(importer ?? '')) return null
        const browser = '@vitejs/plugin-rsc/vendor/react-server-dom/client.browser'
        const runtime = await this.resolve(browser, importer)
        const file = runtime?.id.replace(/client\.browser\.js$/, `cjs/${productionName}`)
        return file ? file + encoderQuery : null
      },
    },
    load: {
      filter: { id: new RegExp(`^\0${references}$`) },
      handler: () => 'exports.known = new WeakMap()',
    },
    transform: {
      filter: { id: /react-server-dom-webpack-client\.browser\.production\.js/ },
      handler(code, id) {
        if (!code.includes(ownTable)) throw new Error(`${id} has no table of server references.`)
        return { code: code.replace(ownTable, sharedTable), map: null }
      },
    },
  }
}

const helper = normalizePath(
  fileURLToPath(new URL('../../client/assets/preload.js', import.meta.url)),
)

/** Has `import()` in the browser go through `client/preload.ts` instead of Vite's longer helper. */
export function preloadHelperPlugin(): Plugin {
  return {
    name: 'waymark:preload-helper',
    enforce: 'pre',
    apply: 'build',
    load: {
      filter: { id: /^\0vite\/preload-helper/ },
      handler: () => `export { preload as __vitePreload } from ${JSON.stringify(helper)}`,
    },
  }
}

const ownRuntime = fileURLToPath(new URL('../../rsc/action/boundArgs.js', import.meta.url))

/**
 * Has inline actions seal what they close over with the app's key ring: plugin-rsc's own runtime
 * knows one key, made anew for every build.
 */
export function boundArgsPlugin(): Plugin {
  return {
    name: 'waymark:bound-args',
    enforce: 'pre',
    resolveId: {
      order: 'pre',
      filter: { id: /plugin-rsc\/(?:dist\/)?utils\/encryption-runtime(?:\.js)?$/ },
      handler: () => ownRuntime,
    },
  }
}

// What an app's author can do nothing about: how long the plugins took that came with waymark(),
// and source maps that plugin-rsc leaves out where it replaces a name within a line.
const unhelpful: ReadonlySet<string> = new Set([
  'BUNDLER_TIMINGS',
  'PLUGIN_TIMINGS',
  'SOURCEMAP_BROKEN',
])

/** Keeps the bundler's remarks about Waymark's own parts from those who build an app with it. */
export function quietPlugin(): Plugin {
  return {
    name: 'waymark:quiet',
    apply: 'build',
    onLog(_level, log) {
      const isOurs = log.plugin === undefined || /^(?:rsc|waymark)\b/.test(log.plugin)
      return log.code !== undefined && unhelpful.has(log.code) && isOurs ? false : null
    },
  }
}
