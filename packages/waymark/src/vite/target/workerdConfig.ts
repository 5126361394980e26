/** Name of the configuration, beside the worker's modules. */
export const configName = 'config.capnp'

/** The date whose behaviour of workerd the worker was tried with; Node's modules are on by then. */
const compatibilityDate = '2026-11-01'

// Read by the framework itself, whatever `.env` files say.
const ownNames = ['WAYMARK_SECRET']

/**
 * The configuration that runs a worker: a service for it, one for the files, and a socket. An app
 * with a configuration of its own takes over `app` alone.
 * @param parts `modules` relative to the configuration, the entry first; `envNames` of the
 *   variables that the worker gets from the environment of its process
 */
export function workerdConfig(parts: {
  readonly modules: readonly string[]
  readonly envNames: readonly string[]
}): string {
  const names = [...new Set([...ownNames, ...parts.envNames])]
  const variables = names.map(
    (name) => `(name = ${quoted(name)}, fromEnvironment = ${quoted(name)})`,
  )
  const bindings = ['(name = "ASSETS", service = "assets")', ...variables]
  const modules = parts.modules.map(
    (name) => `(name = ${quoted(name)}, esModule = embed ${quoted(name)})`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "app", worker = .app),
    (name = "assets", disk = (allowDotfiles = true)),
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

function lines(items: readonly string[]): string {
  return items.map((item) => `    ${item},`).join('\n')
}

// A Cap'n Proto text has the escapes of C.
function quoted(text: string): string {
  return JSON.stringify(text)
}
