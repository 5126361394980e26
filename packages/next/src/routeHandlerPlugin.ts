import path from 'node:path'
import { normalizePath, type Plugin } from 'vite'

const routeFile = /\/route\.(?:[cm]?[jt]sx?)$/
const sitemapFile = /\/sitemap\.[cm]?[jt]sx?$/
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Wraps route handlers and sitemaps in a module, so that route handlers get a `NextRequest`, and
 * the URLs in sitemaps are complete.
 * @param appDir absolute path
 */
export function routeHandlerPlugin(appDir: string): Plugin {
  const folder = `${normalizePath(path.resolve(appDir))}/`
  return {
    name: 'next-names:route-handlers',
    enforce: 'pre',
    load: {
      filter: { id: [routeFile, sitemapFile] },
      async handler(id) {
        if (!id.startsWith(folder)) return null
        const inner = JSON.stringify(`${id}?handlers`)
        if (sitemapFile.test(id)) return sitemapModule(inner, id.slice(folder.length))
        return [
          `export * from ${inner}`,
          `import * as all from ${inner}`,
          "import { handlerDynamic, withNextRequest } from 'next/internal/proxy'",
          // A bundler warns about a direct import of a name that doesn't exist, so copy the
          // module's exports.
          'const given = { ...all }',
          'export const dynamic = handlerDynamic(given)',
          ...methods.map((name) => `const own${name} = withNextRequest(given.${name})`),
          `export { ${methods.map((name) => `own${name} as ${name}`).join(', ')} }`,
        ].join('\n')
      },
    },
  }
}

function sitemapModule(inner: string, name: string): string {
  return [
    `export * from ${inner}`,
    `import own from ${inner}`,
    "import { withWholeUrls } from 'next/internal/sitemap'",
    `export default withWholeUrls(own, ${JSON.stringify(name)})`,
  ].join('\n')
}
