import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin } from 'vite'

const ownLifetime = normalizePath(
  fileURLToPath(new URL('../rsc/renderLifetime.js', import.meta.url)),
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
