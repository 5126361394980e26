import type { Plugin } from 'vite'

// What an app's author can do nothing about: how long the plugins took that came with waymark(),
// and source maps that plugin-rsc leaves out where it replaces a name within a line.
const unhelpful: ReadonlySet<string> = new Set([
  'BUNDLER_TIMINGS',
  'PLUGIN_TIMINGS',
  'SOURCEMAP_BROKEN',
])

/** Keeps the bundler's remarks about Waymark's own parts from those who build an app with it. */
export function quietPlugin(): Plugin {
  return {
    name: 'waymark:quiet',
    apply: 'build',
    onLog(_level, log) {
      const isOurs = log.plugin === undefined || /^(?:rsc|waymark)\b/.test(log.plugin)
      return log.code !== undefined && unhelpful.has(log.code) && isOurs ? false : null
    },
  }
}
