import { randomBytes } from 'node:crypto'
import { rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'
import { type ClientAssets, devBuildId, type ServerBuild } from '../../builds/buildManifest.ts'

/**
 * Modules whose content is only known after the bundles are written, keyed by the id in imports.
 */
const modules = {
  'virtual:waymark/build': {
    fileName: '__waymark_build.js',
    inDev: {
      buildId: devBuildId,
      stylesheets: {},
      scripts: {},
      closedRoutes: null,
      actions: {},
      clientFiles: null,
      // Create a secret for each dev server process. Pages that were open before a restart reload.
      secret: randomBytes(32).toString('base64url'),
      staticRoutes: [],
      partialRoutes: [],
    } satisfies ServerBuild,
  },
  // The dev server doesn't know the assets in advance.
  'virtual:waymark/client-assets': {
    fileName: '__waymark_assets.js',
    inDev: { integrity: {}, app: [] } satisfies ClientAssets,
  },
} as const

type ModuleId = keyof typeof modules

/**
 * Provides the modules that describe the server's own build. In a build, the modules are files next
 * to the bundle.
 */
export function buildModulePlugin(): Plugin {
  return {
    name: 'waymark:build-module',
    resolveId: {
      filter: { id: /^virtual:waymark\/(?:build|client-assets)$/ },
      handler(source) {
        const isBuilt = this.environment.mode === 'build'
        return isBuilt ? { id: source, external: true } : `\0${source}`
      },
    },
    load: {
      filter: { id: /^\0virtual:waymark\/(?:build|client-assets)$/ },
      handler: (id) => exporting(modules[id.slice(1) as ModuleId].inDev),
    },
    renderChunk: {
      filter: { code: /virtual:waymark\/(?:build|client-assets)/ },
      handler(code, chunk) {
        let changed = code
        for (const [id, { fileName }] of Object.entries(modules)) {
          const relative = path.posix.relative(path.posix.dirname(chunk.fileName), fileName)
          const specifier = relative.startsWith('.') ? relative : `./${relative}`
          changed = changed.replaceAll(id, () => specifier)
        }
        return { code: changed, map: null }
      },
    },
  }
}

/**
 * Writes the module that describes a build. If the module contains a secret, only the file's owner
 * can read it.
 */
export function writeBuildModule(serverDir: string, build: ServerBuild): Promise<void> {
  const mode = build.secret === null ? publicMode : ownerOnlyMode
  return write(serverDir, 'virtual:waymark/build', build, mode)
}

export async function writeClientAssets(
  dirs: readonly string[],
  assets: ClientAssets,
): Promise<void> {
  for (const dir of dirs) await write(dir, 'virtual:waymark/client-assets', assets, publicMode)
}

export async function isPrivateBuild(serverDir: string): Promise<boolean> {
  const { mode } = await stat(path.join(serverDir, modules['virtual:waymark/build'].fileName))
  return (mode & 0o077) === 0
}

const ownerOnlyMode = 0o600
const publicMode = 0o666

async function write(folder: string, id: ModuleId, value: unknown, mode: number): Promise<void> {
  const file = path.join(folder, modules[id].fileName)
  await rm(file, { force: true })
  await writeFile(file, exporting(value), { mode })
}

function exporting(value: unknown): string {
  return `export default ${JSON.stringify(value)}\n`
}
