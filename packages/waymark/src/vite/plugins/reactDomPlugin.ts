import { normalizePath, type Plugin } from 'vite'
import { frameworkFile, frameworkFolder } from '../config/frameworkFiles.ts'

/**
 * Matches files that get React's own `react-dom`: React's files, and the module that replaces
 * `react-dom` everywhere else.
 */
const reactServerDomFile = /\/react-server-dom(?:-webpack)?\//

/**
 * Gives server components `rsc/page/reactDom.ts` in place of `react-dom`. Its `preload()` and
 * similar functions wait for the layouts around the caller. An alias to the folder of `react-dom`
 * leads to the same module.
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
