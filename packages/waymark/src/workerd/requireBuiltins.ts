import * as asyncHooks from 'node:async_hooks'
import * as crypto from 'node:crypto'
import * as stream from 'node:stream'
import * as util from 'node:util'

// workerd has Node's modules and no `createRequire`, by which bundles of CommonJS reach them. This
// module stands in for `node:module`.

const builtins: Readonly<Record<string, object>> = {
  async_hooks: asyncHooks,
  crypto,
  stream,
  util,
}

/** Makes a `require` that knows the modules of Node which React's own bundles ask for. */
export function createRequire(): (name: string) => unknown {
  return (name) => {
    const found = builtins[name.replace(/^node:/, '')]
    if (!found) throw new Error(`The server requires ${name}, which this runtime does not have.`)
    return 'default' in found ? found.default : found
  }
}
