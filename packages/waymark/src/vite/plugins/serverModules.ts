import type { Plugin } from 'vite'

/**
 * Matches the ids of Waymark's and its packages' virtual modules, and of plugin-rsc's encryption
 * key. The dev server would serve all of them.
 */
const virtualModule = /^\0?virtual:(?:(?:waymark|next-names)\/(.*)|vite-rsc\/(encryption-key).*)$/

/** Virtual modules that browsers may load. All others are only for the server. */
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

/** True if a virtual module may be sent to browsers. */
export function mayLeaveServer(id: string): boolean {
  const [, ofWaymark, ofPluginRsc] = virtualModule.exec(id.replace(/[?#].*$/, '')) ?? []
  const name = ofWaymark ?? ofPluginRsc
  return name === undefined || forBrowsers.has(name) || name.startsWith('hooks/')
}

/**
 * Keeps virtual modules of the server out of the browser's environment. The dev server serves any
 * module by its id, at `/@id/…`, and these contain its secret, the app's routes and options. The
 * list names the modules that are allowed, so modules that are added later are protected, too.
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
        const message = `${id.replace('\0', '')} is only available on the server.`
        return { code: `throw new Error(${JSON.stringify(message)})\n`, map: null }
      },
    },
  }
}
