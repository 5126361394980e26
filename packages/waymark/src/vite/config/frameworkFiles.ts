import { fileURLToPath } from 'node:url'
import { normalizePath } from 'vite'

/**
 * Files of this package that plugins refer to, as paths relative to the source folder and without
 * extensions.
 */
export const frameworkFiles = {
  rscEntry: 'rsc/rscEntry',
  ssrEntry: 'ssr/ssrEntry',
  clientEntry: 'client/browserEntry',
  callHooks: 'client/hooks/callHooks',
  documentErrors: 'client/errors/documentErrors',
  errorReporter: 'client/errors/errorReporter',
  startReact: 'client/startReact',
  routerChunk: 'client/routerChunk',
  actionsChunk: 'client/actions/actionsChunk',
  callEncoding: 'client/actions/callEncoding',
  scroll: 'client/navigation/scroll',
  chunkImports: 'client/assets/chunkImports',
  importChunk: 'client/assets/importChunk',
  retryImport: 'client/assets/retryImport',
  lazy: 'client/assets/lazy',
  boundaries: 'components/boundaries',
  backButton: 'screens/BackButton',
  protocol: 'wire/protocol',
  dataRequest: 'client/document/dataRequest',
  frames: 'wire/frames',
  html: 'shared/html',
  boundArgs: 'rsc/action/boundArgs',
  reactDom: 'rsc/page/reactDom',
  overlay: 'vite/dev/overlay',
  prerenderWorker: 'vite/prerender/prerenderWorker',
  standalone: 'cli/standalone',
} as const

export type FrameworkFile = keyof typeof frameworkFiles

/** Absolute path of the built package's folder, with forward slashes and a slash at the end. */
export const frameworkFolder = normalizePath(fileURLToPath(new URL('../../', import.meta.url)))

export function frameworkFile(name: FrameworkFile): string {
  return `${frameworkFolder}${frameworkFiles[name]}.js`
}

/**
 * Builds a pattern that matches the module ids of the named files, in an installed package and in the
 * workspace.
 */
export function frameworkFilePattern(...names: FrameworkFile[]): RegExp {
  return new RegExp(
    `/waymark/(?:dist|src)/(?:${names.map((name) => frameworkFiles[name]).join('|')})\\.\\w+$`,
  )
}

/** True if a module belongs to this package, whether it's installed or in the workspace. */
export function isFrameworkModule(id: string): boolean {
  return /\/waymark\/(?:dist|src)\//.test(id)
}

/**
 * Import specifier of a module that Node itself loads. Modules that Waymark's plugin generates import
 * it.
 */
export const loaderId = 'waymark/internal/dev-react'

/** Path of plugin-rsc's copy of React's runtime for server components. */
export const reactServerDom = '@vitejs/plugin-rsc/vendor/react-server-dom'
