import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { frameworkError } from '../../shared/errors.ts'
import { findUpwards } from '../internals/stableNames.ts'

export type PackageManifest = {
  readonly gypfile?: boolean
  readonly napi?: unknown
  readonly binary?: unknown
  readonly main?: unknown
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly scripts?: Readonly<Record<string, string>>
}

// Packages that read files from their own folder, which their manifests don't reveal.
const knownNative = new Set([
  '@prisma/client',
  'prisma',
  '@libsql/client',
  'libsql',
  'oracledb',
  'isolated-vm',
  'playwright',
  'playwright-core',
  'puppeteer',
  'puppeteer-core',
  'duckdb',
  'canvas',
  'onnxruntime-node',
  'esbuild',
  'lightningcss',
  'rolldown',
  'pdfkit',
  'jsdom',
])

// Matches packages that load addons for other packages, or that download an addon during
// installation.
const loaders =
  /^(?:bindings|node-gyp-build|node-gyp-build-optional-packages|prebuild-install|node-addon-api|nan|napi-macros|pkg-prebuilds|@mapbox\/node-pre-gyp|node-pre-gyp|@napi-rs\/.*)$/

// Matches platform-specific packages, of which only the one for the current platform is installed.
const platform = /[-/](?:darwin|linux|win32|linuxmusl)-(?:x64|arm64)\b/

export function isNativePackage(name: string, manifest: PackageManifest): boolean {
  const { gypfile, napi, binary, main, dependencies = {}, optionalDependencies = {} } = manifest
  const needed = Object.keys(dependencies)
  return (
    knownNative.has(name) ||
    gypfile === true ||
    napi !== undefined ||
    (binary !== undefined && 'install' in (manifest.scripts ?? {})) ||
    (typeof main === 'string' && main.endsWith('.node')) ||
    needed.some((each) => loaders.test(each)) ||
    Object.keys(optionalDependencies).some((each) => platform.test(each))
  )
}

export type NativePackages = {
  readonly plugin: Plugin
  readonly nativeNames: () => readonly string[]
  /** Optional dependencies of packages, which may be missing. */
  readonly absent: () => readonly string[]
}

/** True if the package that contains a module works without another package. */
function isOptional(name: string, importer: string): boolean {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(importer) ?? []
  const manifest = folder === undefined ? null : path.join(folder, 'package.json')
  if (manifest === null || !existsSync(manifest)) return false
  const { optionalDependencies = {}, peerDependenciesMeta = {} }: PackageManifest = JSON.parse(
    readFileSync(manifest, 'utf8'),
  )
  return name in optionalDependencies || peerDependenciesMeta[name]?.optional === true
}

/**
 * Leaves packages with native code in `node_modules`, because bundled packages couldn't find their
 * files.
 */
export function createNativePackages(): NativePackages {
  const nativeNames = new Set<string>()
  const absent = new Set<string>()
  const native = new Map<string, boolean>()
  const manifests = new Map<string, string | null>()
  const isNative = (name: string, importer: string): boolean => {
    const folder = path.dirname(importer)
    const key = `${folder}\0${name}`
    const manifest = manifests.get(key) ?? findUpwards(folder, `node_modules/${name}/package.json`)
    manifests.set(key, manifest)
    if (manifest === null) return false
    const cached = native.get(manifest)
    if (cached !== undefined) return cached
    const is = isNativePackage(name, JSON.parse(readFileSync(manifest, 'utf8')))
    native.set(manifest, is)
    return is
  }
  return {
    nativeNames: () => [...nativeNames].sort(),
    absent: () => [...absent],
    plugin: {
      name: 'waymark:native-packages',
      apply: 'build',
      enforce: 'pre',
      applyToEnvironment: ({ name }) => name === 'rsc' || name === 'ssr',
      resolveId: {
        order: 'pre',
        filter: { id: /^(?:@[\w.-]+\/)?\w[\w.-]*(?:\/.*)?$|^\.{0,2}\/.*\.node$/ },
        async handler(source, importer, options) {
          if (importer === undefined || importer.startsWith('\0')) return null
          if (/^\.{0,2}\//.test(source)) throw addonError(source, importer)
          const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(source) ?? []
          const isAtRuntime = options.kind === 'require-call' || options.kind === 'dynamic-import'
          // The importer's copy of a package that Vite deduplicates isn't the one that it gets.
          const isDeduplicated = this.environment.config.resolve.dedupe?.includes(name)
          if (!isDeduplicated && isNative(name, importer.replace(/\?.*$/, ''))) {
            nativeNames.add(name)
            // A strict package manager may hide an optional dependency from the app, which then
            // runs without it.
            if (isAtRuntime && isOptional(name, importer)) absent.add(name)
            return { id: source, external: true }
          }
          // A package may load an optional driver with `require()` or `import()`. Mark a missing
          // one as external, so that only loading it fails.
          if (!isAtRuntime || !importer.includes('/node_modules/')) return null
          const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
          if (resolved !== null && !resolved.id.includes(optionalPeer)) return resolved
          absent.add(source)
          return { id: source, external: true }
        },
      },
    },
  }
}

// Prefix of Vite's placeholder for a missing optional peer dependency. The placeholder throws
// a different error than Node does.
const optionalPeer = 'optional-peer-dep:'

/**
 * Creates the error for an import of an addon.
 *
 * @param importer path of the importing module, with slashes
 */
export function addonError(file: string, importer: string): Error {
  const [, inPackages] = /^.*\/node_modules\/(.*)$/.exec(importer) ?? []
  const packageName = /^(?:@[^/]+\/)?[^/]+/.exec(inPackages ?? '')?.[0] ?? null
  return frameworkError('NATIVE_ADDON', { file, importer: inPackages ?? importer, packageName })
}
