import { createRequire } from 'node:module'
import path from 'node:path'
import type { PipeableStream } from 'react-dom/server'

type ServerReact = {
  renderToPipeableStream(model: unknown, manifest: object, options: object): PipeableStream
}

/** Loads React's server runtime with the React of its `react-server` condition, as in `rsc`. */
export function loadServerReact(): ServerReact {
  const require = createRequire(import.meta.url)
  const react = require.resolve('react')
  const ordinary = require.cache[react]
  const serverReact = path.join(path.dirname(react), 'react.react-server.js')
  require(serverReact)
  require.cache[react] = require.cache[serverReact]
  try {
    return require('@vitejs/plugin-rsc/vendor/react-server-dom/server.node') as ServerReact
  } finally {
    if (ordinary) require.cache[react] = ordinary
    else delete require.cache[react]
  }
}
