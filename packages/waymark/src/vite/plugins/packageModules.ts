import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin } from 'vite'
import { type ClientHookName, clientHookNames, clientHooks } from '../../shared/clientHooks.ts'
import { frameworkError } from '../../shared/errors.ts'
import type { ListedPackage, ModuleExport } from '../config/definePackage.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { serveVirtual } from '../config/virtualModule.ts'

const serverId = 'virtual:waymark/packages'
const hookPrefix = 'virtual:waymark/hooks/'

/**
 * Serves the modules that join listed packages to the app: one for the server, and one for each hook
 * in browsers, since code that runs at different times calls them.
 */
export function packageModulesPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:package-modules',
    config: (_config, { command }) => ({
      define: {
        'import.meta.env.WAYMARK_TRACED': JSON.stringify(
          command === 'serve' || options().packages.some(({ client }) => client?.onEvent),
        ),
      },
    }),
    ...serveVirtual(`(?:${serverId}$|${hookPrefix}(?:${clientHookNames.join('|')})$)`, (id) => {
      const { packages } = options()
      return id === serverId
        ? serverModule(packages)
        : hookModule(id.slice(hookPrefix.length) as ClientHookName, packages)
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
 * @throws `PACKAGE_HOOK_TAKEN`
 */
export function hookModule(hook: ClientHookName, packages: readonly ListedPackage[]): string {
  const users = packages.flatMap(({ name, client }) => {
    const module = client?.[hook]
    return module ? [{ name, module }] : []
  })
  const [first, second] = users
  if (!first) return `export const ${hook} = null\n`
  if (clientHooks[hook] === 'all') {
    const imports = users.map(({ module }, at) => importAs(`hook${at}`, module))
    const names = users.map((_, at) => `hook${at}`)
    return `${imports.join('')}export const ${hook} = [${names.join(', ')}]\n`
  }
  if (second) throw frameworkError('PACKAGE_HOOK_TAKEN', { hook, names: [first.name, second.name] })
  return `${importAs('hook', first.module)}export { hook as ${hook} }\n`
}

function importAs(local: string, { module, name }: ModuleExport): string {
  const file = JSON.stringify(normalizePath(fileURLToPath(module)))
  return `import { ${name} as ${local} } from ${file}\n`
}
