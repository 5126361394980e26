import type { Rolldown } from 'vite'

const reactFiles = /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]|waymark:helpers/
const reactEntry = /^react(?:-dom)?(?:_|$)/

// Together they need each helper that Rolldown writes into bundles.
const helperUses: Readonly<Record<string, string>> = {
  'waymark:helpers': `import common from 'waymark:helpers/common'
import * as all from 'waymark:helpers/module'
export * from 'waymark:helpers/common'
export { all, common }`,
  'waymark:helpers/common': `exports.module = require('waymark:helpers/module')
exports.load = (id) => require(id)`,
  'waymark:helpers/module': "export const name = 'helpers'",
}

/**
 * Writes the same chunk of React whatever packages are bundled with it. If a package that is found
 * later changed it, an open page would run the package with another React than its own, and Vite
 * would reload the page. So the chunk has all of React, in one order, and Rolldown's helpers are
 * there from the start: else they are those in use.
 */
export const sameReact: Rolldown.InputOptions & { readonly output: Rolldown.OutputOptions } = {
  output: {
    codeSplitting: { groups: [{ name: 'react-shared', test: reactFiles }] },
    minifyInternalExports: false,
  },
  plugins: [
    {
      name: 'waymark:same-react',
      options(options) {
        const entries = Object.entries(options.input as Readonly<Record<string, string>>)
        const order = ([name]: [string, string]) => (reactEntry.test(name) ? ` ${name}` : name)
        entries.sort((a, b) => (order(a) < order(b) ? -1 : 1))
        return { ...options, input: Object.fromEntries(entries) }
      },
      resolveId: { filter: { id: /^waymark:helpers/ }, handler: (id) => id },
      load: { filter: { id: /^waymark:helpers/ }, handler: (id) => helperUses[id] },
      transform: {
        filter: { id: /[\\/]react-dom[\\/]index\.js$/ },
        handler: (code) => ({ code: `${code}\nrequire('waymark:helpers')`, map: null }),
      },
    },
  ],
}
