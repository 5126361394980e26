import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { findPackage } from '../../node/appPackages.ts'
import { frameworkError } from '../../shared/errors.ts'

/**
 * Loads the plugin of `@waymark/image`, which compiles `import ridge from './ridge.jpg?image'`. In an
 * app without that package, such an import fails with an error that names it. It stands
 * after `packagesPlugin`, which sets anew what is left out of bundles.
 * @param root folder of the app
 */
export async function imagesPlugin(root: string): Promise<Plugin> {
  const file = findPackage('@waymark/image/vite', root)
  if (file !== null) return (await import(pathToFileURL(file).href)).images()
  return {
    name: 'waymark:images',
    enforce: 'pre',
    load: {
      filter: { id: /\?image(?:&avif)?$/ },
      handler() {
        const neededFor = 'An import that ends with ?image'
        throw frameworkError('PACKAGE_NOT_INSTALLED', { name: '@waymark/image', neededFor })
      },
    },
  }
}
