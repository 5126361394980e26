import { createRequire } from 'node:module'
import path from 'node:path'

/**
 * Loads React's own decoders as the `rsc` environment has them: with the React of its
 * `react-server` condition, which a test runs without.
 */
export function loadServerDecoders(): object {
  const require = createRequire(import.meta.url)
  const react = require.resolve('react')
  const ordinary = require.cache[react]
  const serverReact = path.join(path.dirname(react), 'react.react-server.js')
  require(serverReact)
  require.cache[react] = require.cache[serverReact]
  try {
    return require('@vitejs/plugin-rsc/vendor/react-server-dom/server.node') as object
  } finally {
    if (ordinary) require.cache[react] = ordinary
    else delete require.cache[react]
  }
}
