import type { Plugin } from 'vite'

/**
 * Virtual modules of Waymark and its packages, by the ids that code imports them by; and the key that
 * plugin-rsc seals with, which the dev server would serve as well.
 */
const virtualModule = /^\0?virtual:(?:(?:waymark|next-names)\/(.*)|vite-rsc\/(encryption-key).*)$/

/** The ones that browsers may load. Every other one is for the server. */
const forBrowsers = new Set([
  'client',
  'images',
  'limits',
  'navigation',
  'overlay',
  'patterns',
  'prefetch',
  'startup',
])

/** True if a virtual module may be part of what browsers get. */
export function mayLeaveServer(id: string): boolean {
  const [, ofWaymark, ofPluginRsc] = virtualModule.exec(id.replace(/[?#].*$/, '')) ?? []
  const name = ofWaymark ?? ofPluginRsc
  return name === undefined || forBrowsers.has(name) || name.startsWith('hooks/')
}

/**
 * Keeps virtual modules of the server out of the browser's environment. The dev server serves any
 * module by its id, at `/@id/…`, and these hold its secret, the app's routes and its options. A list of
 * what may leave closes the way for modules that are added later, too.
 */
export function serverModulesPlugin(): Plugin {
  return {
    name: 'waymark:server-modules',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    load: {
      order: 'pre',
      filter: { id: virtualModule },
      handler(id) {
        if (mayLeaveServer(id)) return null
        const message = `${id.replace('\0', '')} is a module of the server.`
        return { code: `throw new Error(${JSON.stringify(message)})\n`, map: null }
      },
    },
  }
}
