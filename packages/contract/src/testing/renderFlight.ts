import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'

const require = createRequire(import.meta.url)

// biome-ignore lint/suspicious/noExplicitAny: exports of React's files
type Exports = any

const folderOf = (name: string) => dirname(require.resolve(`${name}/package.json`))

/** Evaluates one of React's files in the `react-server` environment. */
function evaluate(folder: string, file: string, modules: Record<string, Exports> = {}): Exports {
  const exports = {}
  const requireOf = (id: string) => modules[id] ?? require(id)
  const code = readFileSync(join(folder, 'cjs', file), 'utf8')
  new Function('exports', 'require', '__webpack_require__', code)(exports, requireOf, () => ({}))
  return exports
}

const react = evaluate(folderOf('react'), 'react.react-server.production.js')
const dom = evaluate(folderOf('react-dom'), 'react-dom.react-server.production.js', { react })
const server = evaluate(
  join(folderOf('@vitejs/plugin-rsc'), 'dist/vendor/react-server-dom'),
  'react-server-dom-webpack-server.node.production.js',
  { react, 'react-dom': dom },
)

export const createElement: (
  type: unknown,
  props?: object | null,
  ...children: unknown[]
) => object = react.createElement

/** Creates a client component, as the server sees it. */
export function clientComponent(moduleId: string, name: string): unknown {
  return server.createClientModuleProxy(moduleId)[name]
}

/** Renders a model with React's server. */
export function renderFlight(model: unknown): Promise<Buffer> {
  // A reference is `<module>#<export>`.
  const manifest = new Proxy(
    {},
    {
      get(_, key) {
        const [id, name] = String(key).split('#')
        return { id, name: name ?? '*', chunks: [] }
      },
      getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value: {} }),
    },
  )
  const stream = new PassThrough()
  server.renderToPipeableStream(model, manifest, { onError: String }).pipe(stream)
  return buffer(stream)
}
