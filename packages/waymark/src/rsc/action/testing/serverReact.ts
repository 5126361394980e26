import { createRequire } from 'node:module'
import path from 'node:path'
import type { PipeableStream } from 'react-dom/server'

type ServerReact = {
  renderToPipeableStream(model: unknown, manifest: object, options: object): PipeableStream
}

/**
 * Loads React's server runtime together with the React of the `react-server` condition, like the
 * `rsc` environment.
 */
export function loadServerReact(): ServerReact {
  const require = createRequire(import.meta.url)
  const react = require.resolve('react')
  const ordinary = require.cache[react]
  const serverReact = serverReactFile(require)
  require(serverReact)
  require.cache[react] = require.cache[serverReact]
  try {
    return require('@vitejs/plugin-rsc/vendor/react-server-dom/server.node') as ServerReact
  } finally {
    if (ordinary) require.cache[react] = ordinary
    else delete require.cache[react]
  }
}

/** Loads the React that server components import, which `loadServerReact` renders with. */
export function loadReactOfServer(): typeof import('react') {
  const require = createRequire(import.meta.url)
  return require(serverReactFile(require)) as typeof import('react')
}

function serverReactFile(require: NodeJS.Require): string {
  return path.join(path.dirname(require.resolve('react')), 'react.react-server.js')
}
