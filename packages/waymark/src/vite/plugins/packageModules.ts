import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin } from 'vite'
import { type ClientHookName, clientHookNames, clientHooks } from '../../shared/clientHooks.ts'
import { frameworkError } from '../../shared/errors.ts'
import type { ListedPackage, ModuleExport } from '../config/definePackage.ts'
import { ownFile } from '../config/ownFiles.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { serveVirtual } from '../config/virtualModule.ts'

const serverId = 'virtual:waymark/packages'
const hookPrefix = 'virtual:waymark/hooks/'

/**
 * Serves the modules that join listed packages to the app: one for the server, and one for each hook
 * in browsers, since code that runs at different times calls them.
 */
export function packageModulesPlugin(options: () => ResolvedOptions): Plugin {
  let isBuild = false
  return {
    name: 'waymark:package-modules',
    config: (_config, { command }) => ({
      define: {
        'import.meta.env.WAYMARK_TRACED': JSON.stringify(
          command === 'serve' || options().packages.some(({ client }) => client?.onEvent),
        ),
      },
    }),
    configResolved({ command }) {
      isBuild = command === 'build'
    },
    // The bundler checks the names of imports, and hooks are required.
    moduleParsed({ id, exports = [] }) {
      if (this.environment.name === 'client') checkHookExports(id, exports, options().packages)
    },
    ...serveVirtual(`(?:${serverId}$|${hookPrefix}(?:${clientHookNames.join('|')})$)`, (id) => {
      const { packages } = options()
      return id === serverId
        ? serverModule(packages)
        : hookModule(id.slice(hookPrefix.length) as ClientHookName, packages, isBuild)
    }),
  }
}

/** Exports the server parts of packages, with their options. */
export function serverModule(packages: readonly ListedPackage[]): string {
  const parts = packages.flatMap(({ name, server, options = {} }) =>
    server ? [{ name, server, options }] : [],
  )
  const imports = parts.map(({ server }, at) => importAs(`create${at}`, server))
  const entries = parts.map(
    ({ name, options }, at) =>
      `  { name: ${JSON.stringify(name)}, create: create${at}, options: ${JSON.stringify(options)} },\n`,
  )
  return `${imports.join('')}export const packages = [\n${entries.join('')}]\n`
}

/**
 * Exports a hook under its own name: `null` without a package that has it, so that the bundler leaves
 * out the code that calls it.
 *
 * A module that throws must not stop the framework's own, which a static import would do. In a build,
 * the bundler runs a module that is required at that call, in the same chunk. Browsers have no
 * `require`: in development the module is imported, and its error is thrown at that call.
 * @throws `PACKAGE_HOOK_TAKEN`
 */
export function hookModule(
  hook: ClientHookName,
  packages: readonly ListedPackage[],
  isBuild: boolean,
): string {
  const users = packages.flatMap(({ name, client, clientOptions = {} }) => {
    const part = client?.[hook]
    return part ? [{ name, part, options: JSON.stringify(clientOptions) }] : []
  })
  const [first, second] = users
  if (!first) return `export const ${hook} = null\n`
  if (clientHooks[hook] === 'one' && second) {
    throw frameworkError('PACKAGE_HOOK_TAKEN', { hook, names: [first.name, second.name] })
  }
  const listed = users.map(({ part, options }) => {
    const file = JSON.stringify(fileOf(part))
    const load = isBuild ? `() => require(${file})` : `await importHook(() => import(${file}))`
    return `{ load: ${load}, name: ${JSON.stringify(part.name)}, options: ${options} }`
  })
  const join = joinFunctions[clientHooks[hook]]
  const imports = isBuild ? join : `${join}, importHook`
  const list = `[\n${listed.map((each) => `  ${each},\n`).join('')}]`
  return [
    `import { ${imports} } from ${JSON.stringify(ownFile('callHooks'))}`,
    `export const ${hook} = ${join}(${clientHooks[hook] === 'one' ? listed.join() : list})`,
    '',
  ].join('\n')
}

/** Exports of `client/hooks/callHooks.ts`, by how many packages may have a hook. */
const joinFunctions = { all: 'joinHooks', one: 'onlyHook', readers: 'joinPayloadReaders' } as const

/**
 * @param exports without names for a CommonJS module; `*` stands for those of other modules
 * @throws `PACKAGE_EXPORT`
 */
export function checkHookExports(
  file: string,
  exports: readonly string[],
  packages: readonly ListedPackage[],
): void {
  if (exports.length === 0 || exports.includes('*')) return
  for (const { name, client = {} } of packages) {
    for (const [hook, part] of Object.entries(client)) {
      if (fileOf(part) !== file || exports.includes(part.name)) continue
      throw frameworkError('PACKAGE_EXPORT', { name, hook, exported: part.name, file })
    }
  }
}

function importAs(local: string, part: ModuleExport): string {
  return `import { ${part.name} as ${local} } from ${JSON.stringify(fileOf(part))}\n`
}

function fileOf({ module }: ModuleExport): string {
  return normalizePath(fileURLToPath(module))
}
