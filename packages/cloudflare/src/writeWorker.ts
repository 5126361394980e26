import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Adapter, AppBuild } from 'waymark/adapter'
import { bundleWorker, compatibilityDate, environmentNames } from './bundleWorker.ts'

/**
 * Returns the adapter for workerd. The adapter writes the worker as ES modules, and a configuration
 * that serves the build's files and prerendered pages from their folders.
 */
export function workerd(): Adapter {
  return {
    name: 'workerd',
    lacks: ['sockets', 'images', 'sharedState'],
    async write(build) {
      const { buildDir, envNames } = build
      const outDir = path.join(buildDir, 'workerd')
      const modules = await bundleWorker(build, {
        root: path.dirname(workerFile),
        code: workerCode(build),
        outDir,
      })
      await writeFile(path.join(outDir, configName), workerdConfig({ modules, envNames }))
      const folder = path.basename(buildDir)
      const command = [
        `workerd serve ${folder}/workerd/${configName}`,
        `--directory-path assets=${folder}/client --directory-path pages=${folder}/prerendered`,
      ].join(' ')
      return { serve: { command } }
    },
  }
}

const workerFile = fileURLToPath(new URL('./worker.js', import.meta.url))

/**
 * Returns the code of the worker's entry, which contains the built server, and the build's contents
 * as data.
 */
function workerCode({ server, stores, contents }: AppBuild): string {
  return `import * as server from ${JSON.stringify(server)}
import { createWorker } from ${JSON.stringify(workerFile)}
${stores ? `import { stores } from ${JSON.stringify(stores)}` : 'const stores = {}'}
const contents = JSON.parse(${JSON.stringify(JSON.stringify(contents()))})
export default createWorker({ server, contents, stores })
`
}

/** Name of the configuration file, which is in the same folder as the worker's modules. */
export const configName = 'config.capnp'

/**
 * Returns a configuration that runs a worker. The configuration defines the worker, services for
 * the build's files and prerendered pages, and a socket. An app that has its own configuration
 * needs only the constant `app`.
 * @param worker `modules`: paths of the modules relative to the configuration, with the entry
 * first. `envNames`: names of the environment variables that are passed to the worker.
 */
export function workerdConfig(worker: {
  readonly modules: readonly string[]
  readonly envNames: readonly string[]
}): string {
  const variables = environmentNames(worker.envNames).map(
    (name) => `(name = ${quoted(name)}, fromEnvironment = ${quoted(name)})`,
  )
  const bindings = [
    '(name = "ASSETS", service = "assets")',
    '(name = "PAGES", service = "pages")',
    ...variables,
  ]
  const modules = worker.modules.map(
    (name) =>
      `(name = ${quoted(name)}, ${name.endsWith('.wasm') ? 'wasm' : 'esModule'} = embed ${quoted(name)})`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "app", worker = .app),
    (name = "assets", disk = (allowDotfiles = true)),
    (name = "pages", disk = (allowDotfiles = true)),
  ],
  sockets = [(name = "http", address = "*:8080", http = (), service = "app")],
);

const app :Workerd.Worker = (
  compatibilityDate = "${compatibilityDate}",
  bindings = [
${lines(bindings)}
  ],
  modules = [
${lines(modules)}
  ],
);
`
}

const lines = (items: readonly string[]) => items.map((item) => `    ${item},`).join('\n')

// Quote strings as JSON. Strings in Cap'n Proto use C's escapes, and JSON's escapes are a subset of
// them.
const quoted = (text: string) => JSON.stringify(text)
