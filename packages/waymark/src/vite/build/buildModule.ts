import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'
import type { ServerBuild } from '../../shared/build.ts'

const buildModuleId = 'virtual:waymark/build'

// Beside the server's entry, and not in it: what it holds is known once the bundles are made.
const fileName = '__waymark_build.js'

const devBuild: ServerBuild = { buildId: 'development', stylesheets: {}, closedRoutes: null }

/** Lets the server import what is known of its own build. */
export function buildModulePlugin(): Plugin {
  return {
    name: 'waymark:build-module',
    resolveId: {
      filter: { id: /^virtual:waymark\/build$/ },
      handler(source) {
        const isBuilt = this.environment.mode === 'build'
        return isBuilt ? { id: source, external: true } : `\0${source}`
      },
    },
    load: {
      filter: { id: /^\0virtual:waymark\/build$/ },
      handler: () => `export default ${JSON.stringify(devBuild)}\n`,
    },
    renderChunk(code, chunk) {
      if (!code.includes(buildModuleId)) return null
      const relative = path.posix.relative(path.posix.dirname(chunk.fileName), fileName)
      const specifier = relative.startsWith('.') ? relative : `./${relative}`
      return { code: code.replaceAll(buildModuleId, () => specifier), map: null }
    },
  }
}

/**
 * Writes the module that `buildModulePlugin` has the server import.
 * @param serverDir folder of the `rsc` bundle
 */
export async function writeBuildModule(serverDir: string, build: ServerBuild): Promise<void> {
  const text = `export default ${JSON.stringify(build)}\n`
  await writeFile(path.join(serverDir, fileName), text)
}
