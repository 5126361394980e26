import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { normalizePath, type Plugin } from 'vite'

const machineCode = '@takumi-rs/core'

/**
 * Makes a build import the native code for `ImageResponse` by its full path. It is in an indirect
 * dependency, which pnpm hides from the app.
 * @param root of the project, absolute
 */
export function drawingPlugin(root: string): Plugin {
  let hidden: string | null = null
  return {
    name: 'next-names:drawing',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'rsc' || name === 'ssr',
    resolveId: {
      order: 'pre',
      filter: { id: new RegExp(`^${machineCode}$`) },
      handler(source, importer) {
        const isInstalled = existsSync(path.join(root, 'node_modules', source))
        if (isInstalled || importer === undefined) return null
        hidden = createRequire(importer.replace(/\?.*$/, '')).resolve(source)
        return { id: hidden, external: 'absolute' }
      },
    },
    // With a relative path, the built app still works after it was moved to a different folder.
    renderChunk(code, { fileName }) {
      if (hidden === null || !code.includes(hidden)) return null
      const { build } = this.environment.config
      const folder = path.dirname(path.resolve(root, build.outDir, fileName))
      const from = JSON.stringify(normalizePath(path.relative(folder, hidden)))
      return { code: code.replaceAll(JSON.stringify(hidden), from), map: null }
    },
  }
}
