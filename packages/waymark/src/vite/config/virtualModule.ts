import type { Environment, Plugin } from 'vite'

/**
 * Creates the hooks of a plugin that serves virtual modules.
 *
 * @param pattern matched from the beginning of a module id
 */
export function serveVirtual(
  pattern: string,
  load: (id: string, environment: Environment) => string | null | Promise<string | null>,
): Required<Pick<Plugin, 'resolveId' | 'load'>> {
  return {
    resolveId: { filter: { id: new RegExp(`^${pattern}`) }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: new RegExp(`^\0${pattern}`) },
      handler(id) {
        return load(id.slice(1), this.environment)
      },
    },
  }
}
