import { normalizePath, type Plugin } from 'vite'
import { frameworkFile, frameworkFolder } from '../config/frameworkFiles.ts'

/**
 * Files that get React's own `react-dom`: React's files, and the module that replaces `react-dom` for
 * all other files.
 */
const reactServerDomFile = /\/react-server-dom(?:-webpack)?\//

/**
 * Gives server components `rsc/page/reactDom.ts` as `react-dom`. Its `preload()` and similar
 * functions wait for the layouts around the caller. An alias to the folder of `react-dom` resolves to
 * the same module.
 */
export function reactDomPlugin(): Plugin {
  return {
    name: 'waymark:react-dom',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'rsc',
    resolveId: {
      order: 'pre',
      filter: { id: /(?:^|[\\/])react-dom$/ },
      handler(_id, importer) {
        if (importer === undefined) return null
        const file = normalizePath(importer)
        if (file.startsWith(frameworkFolder) || reactServerDomFile.test(file)) return null
        return this.resolve(frameworkFile('reactDom'), importer)
      },
    },
  }
}
