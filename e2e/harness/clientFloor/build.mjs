import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const folder = fileURLToPath(new URL('.', import.meta.url))

/**
 * Bundles the smallest possible code for an interactive page: React, its decoder and one component.
 * @returns {Promise<string>} the code of the bundle
 */
export async function buildClientFloor() {
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: `${folder}entry.tsx` },
    },
  })
  const [{ output }] = [result].flat()
  return output[0].code
}
