import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin } from 'vite'
import { frameworkError } from '../../shared/errors.ts'
import {
  type ClientHookName,
  clientHookNames,
  clientHooks,
  hookPrefix,
} from '../config/clientHooks.ts'
import { hasClientHooks, type ListedPackage, type ModuleExport } from '../config/definePackage.ts'
import { frameworkFile } from '../config/frameworkFiles.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { serveVirtual } from '../config/virtualModule.ts'

const serverId = 'virtual:waymark/packages'
const rendererId = 'virtual:waymark/document-renderer'

/**
 * Serves the modules that connect listed packages with the app. The server has two. Browsers have
 * one for each hook, because different chunks call the hooks and load at different times.
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
        'import.meta.env.WAYMARK_HAS_HOOKS': JSON.stringify(hasClientHooks(options().packages)),
      },
    }),
    configResolved({ command }) {
      isBuild = command === 'build'
    },
    ...serveVirtual(
      `(?:${serverId}$|${rendererId}$|${hookPrefix}(?:${clientHookNames.join('|')})$)`,
      (id) => {
        const { packages } = options()
        if (id === serverId) return serverModule(packages)
        if (id === rendererId) return rendererModule(packages)
        return hookModule(id.slice(hookPrefix.length) as ClientHookName, packages, isBuild)
      },
    ),
  }
}

/**
 * Generates the module that exports the server parts of packages with their options, and the texts
 * of packages.
 */
export function serverModule(packages: readonly ListedPackage[]): string {
  const parts = packages.flatMap(({ name, server, options = {} }) =>
    server ? [{ name, server, options }] : [],
  )
  const imports = parts.map(({ server }, at) => importAs(`create${at}`, server))
  const entries = parts.map(
    ({ name, options }, at) =>
      `  { name: ${JSON.stringify(name)}, create: create${at}, options: ${JSON.stringify(options)} },\n`,
  )
  const written = packages.flatMap(({ name, texts }) => (texts ? [{ name, texts }] : []))
  const textImports = written.map(({ texts }, at) => importAs(`texts${at}`, texts))
  const textEntries = written.map(({ name }, at) => `  ${JSON.stringify(name)}: texts${at},\n`)
  return [
    ...imports,
    ...textImports,
    `export const packages = [\n${entries.join('')}]\n`,
    `export const packageTexts = {\n${textEntries.join('')}}\n`,
  ].join('')
}

/**
 * Generates the module that exports the function for rendering whole documents: a package's
 * function or React's own.
 *
 * @throws `PACKAGE_HOOK_CONFLICT`
 */
export function rendererModule(packages: readonly ListedPackage[]): string {
  const renderers = packages.flatMap(({ name, documentRenderer }) =>
    documentRenderer ? [{ name, documentRenderer }] : [],
  )
  const [first, second] = renderers
  if (!first) return "export { renderToPipeableStream } from 'react-dom/server'\n"
  if (second) {
    const names = [first.name, second.name]
    throw frameworkError('PACKAGE_HOOK_CONFLICT', { hook: 'documentRenderer', names })
  }
  const { name } = first.documentRenderer
  const file = JSON.stringify(fileOf(first.documentRenderer))
  return `export { ${name} as renderToPipeableStream } from ${file}\n`
}

/**
 * Generates the module that exports a hook under its own name. If no package has the hook, the
 * export is `null`, so that the bundler drops the code that calls it.
 *
 * In development, each package's module is imported separately, so that a module that throws doesn't
 * stop the framework. In a build, separate imports would cost another request before each page runs.
 *
 * @throws `PACKAGE_HOOK_CONFLICT`
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
    throw frameworkError('PACKAGE_HOOK_CONFLICT', { hook, names: [first.name, second.name] })
  }
  const listed = users.map(({ part, options }, at) => {
    const load = isBuild ? `() => hook${at}` : `await importHook(${loaderOf(part)})`
    return `{ load: ${load}, options: ${options} }`
  })
  const join = joinFunctions[clientHooks[hook]]
  const helperNames = isBuild ? join : `${join}, importHook`
  const list = `[\n${listed.map((each) => `  ${each},\n`).join('')}]`
  return [
    ...(isBuild ? users.map(({ part }, at) => importAs(`hook${at}`, part)) : []),
    `import { ${helperNames} } from ${JSON.stringify(frameworkFile('callHooks'))}\n`,
    `export const ${hook} = ${join}(${clientHooks[hook] === 'one' ? listed.join() : list})\n`,
  ].join('')
}

function loaderOf(part: ModuleExport): string {
  return `() => import(${JSON.stringify(fileOf(part))}).then((module) => module.${part.name})`
}

/** Exports of `client/hooks/callHooks.ts`, by the number of packages that may have a hook. */
const joinFunctions = { all: 'joinHooks', one: 'onlyHook', readers: 'joinPayloadReaders' } as const

function importAs(local: string, part: ModuleExport): string {
  return `import { ${part.name} as ${local} } from ${JSON.stringify(fileOf(part))}\n`
}

function fileOf({ module }: ModuleExport): string {
  return normalizePath(fileURLToPath(module))
}
