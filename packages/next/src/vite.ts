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
import { clientEnvPlugin, envPackage } from './clientEnvPlugin.ts'
import { commonPlugin } from './commonPlugin.ts'
import { cssImportsPlugin } from './cssImportsPlugin.ts'
import { drawingPlugin } from './drawingPlugin.ts'
import { dynamicImportPlugin } from './dynamicImportPlugin.ts'
import { fileUrlPlugin } from './fileUrlPlugin.ts'
import { folderImportPlugin, folderImports } from './folderImportPlugin.ts'
import { fontPlugin } from './fontPlugin.ts'
import { imagePlugin } from './imagePlugin.ts'
import { installed, packagesOnNext, renderers } from './installedPackages.ts'
import { jsconfigAliases } from './jsconfigAliases.ts'
import { linkValuePlugin } from './linkValuePlugin.ts'
import { missingNamesPlugin } from './missingNamesPlugin.ts'
import { outsidePackagesPlugin } from './outsidePackagesPlugin.ts'
import { picturePlugin } from './picturePlugin.ts'
import { readPostcss } from './postcssConfig.ts'
import { type AppConfig, misreadNote, readConfig } from './readConfig.ts'
import { rootParamsPlugin } from './rootParamsPlugin.ts'
import { routeHandlerPlugin } from './routeHandlerPlugin.ts'
import { isMisread } from './rules.ts'
import { segmentPlugin } from './segmentPlugin.ts'
import { serverFilesApart } from './serverFilesPlugin.ts'
import { styleLoaderPlugin } from './styleLoaderPlugin.ts'
import { emptyModules, webpackPlugin } from './webpackPlugin.ts'

/**
 * Returns the Vite plugins for an App Router app: `waymark()`, and everything else that the app
 * expects. Reads `next.config.*`, and finds `app/` or `src/app/`.
 * @param options of `waymark()`
 * @throws Error if the app has only `pages/`
 */
export async function next(options: WaymarkOptions = {}): Promise<PluginOption[]> {
  const root = process.cwd()
  const appDir =
    options.appDir ?? ['app', 'src/app'].find((dir) => existsSync(path.join(root, dir)))
  if (appDir === undefined && existsSync(path.join(root, 'pages'))) {
    throw new Error(
      'This app has pages/ but no app/. Waymark only supports the App Router, so move the pages to app/ first.',
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
    dynamicImportPlugin(root),
    folderImportPlugin(),
    cssImportsPlugin(root),
    styleLoaderPlugin(root, config.webpack.styles),
    webpackPlugin(root, config.webpack),
    imagePlugin(root, config.images),
    picturePlugin(folder, config.basePath),
    // waymark() would look for the optional plugins' packages in the app's folder, from which a
    // strict package manager may hide them. So add these plugins here.
    images(),
    drawingPlugin(root),
    fonts(),
    routeHandlerPlugin(folder),
    segmentPlugin(folder),
    cacheDirectivePlugins(root),
    linkValuePlugin(),
    outsidePackagesPlugin(root, {
      serverExternalPackages: config.serverExternalPackages,
      webpackExternals: config.webpack.external,
    }),
    commonPlugin(),
    clientEnvPlugin(),
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
    // Keep this plugin last, so that its list of packages to exclude from bundles counts.
    namesPlugin(root, config, await readPostcss(root)),
  ]
}

/** Lets shared code import server modules, as long as it only uses them on the server. */
function laterImportsPlugin(): Plugin {
  return {
    name: 'next-names:later-imports',
    applyToEnvironment: ({ name }) => name !== 'rsc',
    transform: rejectServerImports(/^next\/(?:headers|cache)(?:\.js)?$/),
  }
}

/**
 * Lets server components in packages require `server-only`, as `auth()` from `@clerk/nextjs` does.
 */
function serverMarkPlugin(): Plugin {
  return {
    name: 'next-names:server-mark',
    apply: 'serve',
    applyToEnvironment: ({ name }) => name === 'rsc',
    transform: {
      // Without the `react-server` condition, Node would resolve `server-only` to a file that
      // throws an error, so replace it.
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

/** @returns a line for each condition in the proxy's matcher that Next matches differently */
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

/** Serves the module that combines the app's proxy with the rules of its configuration. */
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

/** Serves the module that reports navigations to the app's `instrumentation-client.ts`. */
function setupPlugin(file: string | null): Plugin {
  const lines = [
    `import * as app from ${JSON.stringify(normalizePath(file ?? ''))}`,
    // A bundler warns about a direct import of a name that doesn't exist, so copy the module's
    // exports.
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

/** Returns the patterns of the app's routes, from its folders. */
function pagesBelow(appDir: string): string[] {
  const files = readdirSync(appDir, { recursive: true, encoding: 'utf8' }).map(normalizePath)
  return files.flatMap((file) => {
    const [, folder] = /^(.*?)\/?(?:page|route)\.(?:[jt]sx?|mdx)$/.exec(file) ?? []
    return folder === undefined ? [] : [`/${folder}`]
  })
}

const publicPrefix = 'NEXT_PUBLIC_'

/**
 * Returns the variables whose values may appear in browser code: all except those whose names
 * suggest secrets. The app's code may well contain other values, too, such as a default URL or
 * title.
 */
function publicNames(root: string, { env }: AppConfig, { security }: WaymarkOptions): string[] {
  const mode = process.env.NODE_ENV === 'production' ? 'production' : 'development'
  const names = [...Object.keys(loadEnv(mode, root, '')), ...Object.keys(env)]
  return [...(security?.publicEnv ?? []), ...names.filter((name) => !isSecretName(name))]
}

/**
 * Makes the compiler remove imports that are only used as types, whatever the app's tsconfig says.
 */
const typescript = { onlyRemoveTypeImports: false }

/** Configures the names, variables and aliases that the app and its packages rely on. */
function namesPlugin(
  root: string,
  config: AppConfig,
  postcss: Awaited<ReturnType<typeof readPostcss>>,
): Plugin {
  // The bundles of packages that use `next` would contain separate copies of the router and the
  // request, so don't bundle these.
  const compiled = [...config.transpilePackages, ...packagesOnNext(root)]
  const transformedPackages = ['next', '@waymark/image', envPackage, ...compiled]
  const configAliases = Object.entries(config.resolveAlias)
  const alias = [
    ...configAliases.map(([find, replacement]) => ({ find, replacement })),
    ...jsconfigAliases(root),
  ]
  const external = [...config.serverExternalPackages, ...installed(config.webpack.external, root)]
  return {
    name: 'next-names:names',
    enforce: 'pre',
    config({ build, css, envPrefix = ['VITE_', 'PUBLIC_'] }, { mode }) {
      // Read the values from `.env` files and from the build's environment.
      const values = { ...loadEnv(mode, root, publicPrefix), ...config.env }
      const variables = Object.entries(values).map(([name, value]) => [
        `process.env.${name}`,
        JSON.stringify(value),
      ])
      return {
        // The app's content security policy may forbid data URLs, so don't inline assets.
        build: { assetsInlineLimit: build?.assetsInlineLimit ?? 0 },
        define: { ...config.webpack.define, ...Object.fromEntries(variables) },
        css: { ...config.css, ...(postcss && css?.postcss === undefined && { postcss }) },
        envPrefix: [envPrefix, publicPrefix].flat(),
        oxc: { typescript },
        // As with other bundlers, a default import of CommonJS that was compiled from an ES module
        // returns that module's default export.
        legacy: { inconsistentCjsInterop: true },
        // Make linked packages use the app's copies of `next` and `waymark`.
        resolve: { alias, dedupe: ['next', 'waymark'] },
        ...(external.length > 0 ? { ssr: { external } } : {}),
      }
    },
    configEnvironment(name): EnvironmentOptions {
      const empty = emptyModules(config.webpack, name === 'client')
      // plugin-rsc reads files for server components unbundled.
      const apart = name === 'rsc' ? null : serverFilesApart
      const plugins = [requiredNames, folderImports, empty, apart]
      const rolldownOptions = { transform: { typescript }, plugins }
      const optimizeDeps = { exclude: transformedPackages, rolldownOptions }
      if (name === 'client') return { optimizeDeps }
      // instrumentation.ts checks NEXT_RUNTIME before it loads modules for Node.
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
 * Makes CommonJS packages in the dev server's bundles import `next`, because Node can't require
 * modules that Vite compiles. With the `__esModule` mark, their default exports work.
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
