import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fonts } from '@waymark/font/vite'
import { images } from '@waymark/image/vite'
import {
  type EnvironmentOptions,
  loadEnv,
  normalizePath,
  type Plugin,
  type PluginOption,
  type Rolldown,
} from 'vite'
import { isSecretName, rejectServerImports } from 'waymark/plugin/dev'
import { type WaymarkOptions, waymark } from 'waymark/vite'
import { cacheDirectivePlugins } from './cacheDirective.ts'
import { commonPlugin } from './commonPlugin.ts'
import { cssImportsPlugin } from './cssImportsPlugin.ts'
import { drawingPlugin } from './drawingPlugin.ts'
import { fileUrlPlugin } from './fileUrlPlugin.ts'
import { fontPlugin } from './fontPlugin.ts'
import { imagePlugin } from './imagePlugin.ts'
import { installed, packagesOnNext, renderers } from './installedPackages.ts'
import { jsconfigAliases } from './jsconfigAliases.ts'
import { linkValuePlugin } from './linkValuePlugin.ts'
import { missingNamesPlugin } from './missingNamesPlugin.ts'
import { picturePlugin } from './picturePlugin.ts'
import { type AppConfig, misreadNote, readConfig } from './readConfig.ts'
import { rootParamsPlugin } from './rootParamsPlugin.ts'
import { routeHandlerPlugin } from './routeHandlerPlugin.ts'
import { isMisread } from './rules.ts'
import { segmentPlugin } from './segmentPlugin.ts'
import { serverFilesApart } from './serverFilesPlugin.ts'
import { emptyModules, webpackPlugin } from './webpackPlugin.ts'

/**
 * The Vite plugin for an App Router app: `waymark()`, and what the app expects beside it. Reads
 * `next.config.*`, and finds `app/` or `src/app/`.
 * @param options of `waymark()`
 */
export async function next(options: WaymarkOptions = {}): Promise<PluginOption[]> {
  const root = process.cwd()
  const appDir =
    options.appDir ?? ['app', 'src/app'].find((dir) => existsSync(path.join(root, dir)))
  if (appDir === undefined && existsSync(path.join(root, 'pages'))) {
    throw new Error(
      'This app has pages/ and no app/: only the App Router is there. Move the pages to app/ first.',
    )
  }
  const folder = path.resolve(root, appDir ?? 'app')
  const config = await readConfig(root)
  const proxy = findFile(path.dirname(folder), ['proxy', 'middleware'])
  for (const line of misreadIn(proxy)) console.warn(line)
  const setup = findFile(path.dirname(folder), ['instrumentation-client'])
  const hasProxy = proxy !== null || hasRules(config)
  return [
    rootParamsPlugin(root, folder),
    missingNamesPlugin(root, new Set(Object.keys(packageManifest().exports))),
    proxyPlugin(folder, proxy, {
      rules: config.rules,
      allowedHosts: options.security?.allowedHosts ?? [],
    }),
    setupPlugin(setup),
    fontPlugin(root),
    fileUrlPlugin(),
    cssImportsPlugin(root),
    webpackPlugin(root, config.webpack),
    imagePlugin(root, config.images),
    picturePlugin(folder, config.basePath),
    // Here, as a package manager may hide them from the app, where waymark() looks for them.
    images(),
    drawingPlugin(root),
    fonts(),
    routeHandlerPlugin(folder),
    segmentPlugin(folder),
    cacheDirectivePlugins(root),
    linkValuePlugin(),
    commonPlugin(),
    laterImportsPlugin(),
    serverMarkPlugin(),
    waymark({
      ...(appDir ? { appDir } : {}),
      basePath: config.basePath,
      assetPrefix: config.assetPrefix,
      trailingSlash: config.trailingSlash,
      actions: config.actions,
      cacheLife: config.cacheLife,
      mdx: config.webpack.mdx,
      ...(hasProxy ? { proxy: proxyId } : {}),
      ...(setup ? { clientSetup: setupId } : {}),
      ...options,
      security: { ...options.security, publicEnv: publicNames(root, config, options) },
    }),
    // After it: what it excludes from bundles it sets.
    namesPlugin(root, config),
  ]
}

/** Code that both sides share may import the server's names, behind a question where it runs. */
function laterImportsPlugin(): Plugin {
  return {
    name: 'next-names:later-imports',
    applyToEnvironment: ({ name }) => name !== 'rsc',
    transform: rejectServerImports(/^next\/(?:headers|cache)(?:\.js)?$/),
  }
}

/** Server components of packages may require `server-only`, as `auth()` of `@clerk/nextjs` does. */
function serverMarkPlugin(): Plugin {
  return {
    name: 'next-names:server-mark',
    apply: 'serve',
    applyToEnvironment: ({ name }) => name === 'rsc',
    transform: {
      // Node finds the file that throws: it knows no condition `react-server`.
      filter: { code: requiredMark },
      handler: (code) => ({ code: code.replaceAll(requiredMark, '({})'), map: null }),
    },
  }
}

const requiredMark = /\brequire\(['"]server-only['"]\)/g

function packageManifest(): { readonly exports: Readonly<Record<string, unknown>> } {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
}

const extensions = ['.ts', '.tsx', '.js', '.jsx', '.mts', '.mjs']

function findFile(folder: string, names: readonly string[]): string | null {
  const files = names.flatMap((name) =>
    extensions.map((extension) => path.join(folder, name + extension)),
  )
  return files.find((file) => existsSync(file)) ?? null
}

const writtenValue = /\bvalue\s*:\s*(['"`])((?:\\.|(?!\1).)*)\1/g

/** @returns a line for each condition of the proxy's matcher that Next reads otherwise */
function misreadIn(proxy: string | null): string[] {
  const text = proxy === null ? '' : readFileSync(proxy, 'utf8')
  const values = [...text.matchAll(writtenValue)].map(([, , value = '']) => value)
  return values
    .filter(isMisread)
    .map((value) => `${path.basename(proxy ?? '')}: ${misreadNote(value)}`)
}

function hasRules({ rules: { redirects, headers, rewrites } }: AppConfig): boolean {
  const { beforeFiles, afterFiles, fallback } = rewrites
  return [redirects, headers, beforeFiles, afterFiles, fallback].some((list) => list.length > 0)
}

const proxyId = 'virtual:next-names/proxy'

/** Serves the module that runs the app's proxy between the rules of its configuration. */
function proxyPlugin(
  appDir: string,
  proxy: string | null,
  { rules, allowedHosts }: { rules: AppConfig['rules']; allowedHosts: readonly string[] },
): Plugin {
  return {
    name: 'next-names:proxy',
    resolveId: { filter: { id: new RegExp(`^${proxyId}$`) }, handler: () => `\0${proxyId}` },
    load: {
      filter: { id: new RegExp(`^\0${proxyId}$`) },
      handler: () =>
        [
          proxy === null
            ? 'const app = {}'
            : `import * as app from ${JSON.stringify(normalizePath(proxy))}`,
          "import { createProxy } from 'next/internal/proxy'",
          `const rules = ${JSON.stringify(rules)}`,
          `const pages = ${JSON.stringify(pagesBelow(appDir))}`,
          `const hosts = ${JSON.stringify(allowedHosts)}`,
          'const created = createProxy(app, rules, pages, hosts)',
          'export const { proxy, outside, matchesFile, seesRewrites } = created',
        ].join('\n'),
    },
  }
}

const setupId = 'virtual:next-names/client'

/** Serves the module by which an app's `instrumentation-client.ts` hears of navigations. */
function setupPlugin(file: string | null): Plugin {
  const lines = [
    `import * as app from ${JSON.stringify(normalizePath(file ?? ''))}`,
    // As an object: a name of a module that is not there is warned of.
    'const { onRouterTransitionStart } = { ...app }',
    'export function onNavigationStart({ url, kind }) {',
    "  if (kind !== 'refresh') onRouterTransitionStart?.(url.pathname + url.search + url.hash, kind)",
    '}',
  ]
  return {
    name: 'next-names:client-setup',
    resolveId: { filter: { id: new RegExp(`^${setupId}$`) }, handler: () => `\0${setupId}` },
    load: { filter: { id: new RegExp(`^\0${setupId}$`) }, handler: () => lines.join('\n') },
  }
}

/** Patterns of the routes, by their folders. */
function pagesBelow(appDir: string): string[] {
  const files = readdirSync(appDir, { recursive: true, encoding: 'utf8' }).map(normalizePath)
  return files.flatMap((file) => {
    const [, folder] = /^(.*?)\/?(?:page|route)\.(?:[jt]sx?|mdx)$/.exec(file) ?? []
    return folder === undefined ? [] : [`/${folder}`]
  })
}

const publicPrefix = 'NEXT_PUBLIC_'

/**
 * The variables whose values may be in what browsers get: all but those whose name says that they are
 * secret. Others are in an app's code as well, as the default of an address or of a title.
 */
function publicNames(root: string, { env }: AppConfig, { security }: WaymarkOptions): string[] {
  const mode = process.env.NODE_ENV === 'production' ? 'production' : 'development'
  const names = [...Object.keys(loadEnv(mode, root, '')), ...Object.keys(env)]
  return [...(security?.publicEnv ?? []), ...names.filter((name) => !isSecretName(name))]
}

/** Whatever the app's tsconfig says, an import of types alone loads nothing. */
const typescript = { onlyRemoveTypeImports: false }

/** What code of the app and of its packages takes for granted: names, variables, aliases. */
function namesPlugin(root: string, config: AppConfig): Plugin {
  // As they are: bundled in advance, they would have a router and a request of their own.
  const compiled = [...config.transpilePackages, ...packagesOnNext(root)]
  const transformedPackages = ['next', '@waymark/image', ...compiled]
  const configAliases = Object.entries(config.resolveAlias)
  const alias = [
    ...configAliases.map(([find, replacement]) => ({ find, replacement })),
    ...jsconfigAliases(root),
  ]
  const external = [...config.serverExternalPackages, ...installed(config.webpack.external, root)]
  return {
    name: 'next-names:names',
    enforce: 'pre',
    config({ build, envPrefix = ['VITE_', 'PUBLIC_'] }, { mode }) {
      // Of `.env` files, and of the environment of the build.
      const values = { ...loadEnv(mode, root, publicPrefix), ...config.env }
      const variables = Object.entries(values).map(([name, value]) => [
        `process.env.${name}`,
        JSON.stringify(value),
      ])
      return {
        // No data URLs in style sheets: an app's own policy may forbid them.
        build: { assetsInlineLimit: build?.assetsInlineLimit ?? 0 },
        define: { ...config.webpack.define, ...Object.fromEntries(variables) },
        css: config.css,
        envPrefix: [envPrefix, publicPrefix].flat(),
        oxc: { typescript },
        // The default of CommonJS written as a module is its own, as other bundlers have it.
        legacy: { inconsistentCjsInterop: true },
        // A package that is linked from elsewhere has the app's.
        resolve: { alias, dedupe: ['next', 'waymark'] },
        ...(external.length > 0 ? { ssr: { external } } : {}),
      }
    },
    configEnvironment(name): EnvironmentOptions {
      const empty = emptyModules(config.webpack, name === 'client')
      // plugin-rsc reads the files of server components as they are.
      const apart = name === 'rsc' ? null : serverFilesApart
      const plugins = [requiredNames, empty, apart]
      const rolldownOptions = { transform: { typescript }, plugins }
      const optimizeDeps = { exclude: transformedPackages, rolldownOptions }
      if (name === 'client') return { optimizeDeps }
      // What instrumentation.ts asks for, before it loads what is for Node.
      const define = { 'process.env.NEXT_RUNTIME': '"nodejs"' }
      const isOutside = (each: string) => name === 'rsc' && !transformedPackages.includes(each)
      const outside = installed(renderers.filter(isOutside), root)
      return {
        define,
        optimizeDeps,
        resolve: { external: outside, noExternal: transformedPackages },
      }
    },
  }
}

const requiredId = '\0next-names:required/'

/**
 * Has CommonJS packages that the dev server bundles import the modules of `next`: Node can't require
 * what Vite compiles, and a default export is found by its mark.
 */
const requiredNames: Rolldown.Plugin = {
  name: 'next-names:required',
  resolveId: {
    filter: { id: /^next\// },
    handler: (id, _importer, { kind }) => (kind === 'require-call' ? requiredId + id : null),
  },
  load: {
    filter: { id: new RegExp(`^${requiredId}`) },
    handler(id) {
      const name = JSON.stringify(id.slice(requiredId.length))
      return `import * as all from ${name}\nmodule.exports = { __esModule: true, ...all }\n`
    },
  },
}
