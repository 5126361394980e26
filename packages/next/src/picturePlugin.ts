import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { normalizePath, type Plugin } from 'vite'

/**
 * Matches images with a fixed URL. Images in route groups, dynamic segments and private folders
 * have none.
 */
const picture =
  /^(?:(?!\.\.?\/)[^([@_\\/][^/\\]*\/)*(?:icon|apple-icon|opengraph-image|twitter-image)\d?\.(?:ico|jpe?g|png|svg|gif)$/

const types: Readonly<Record<string, string>> = {
  ico: 'image/x-icon',
  jpg: 'image/jpeg',
  svg: 'image/svg+xml',
}

/**
 * Also serves the app folder's metadata images under their file names, such as `/icon.png`.
 * Manifests, e-mails and structured data refer to them by these names.
 * @param appDir absolute path
 */
export function picturePlugin(appDir: string, basePath: string): Plugin {
  return {
    name: 'next-names:pictures',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const [pathname = ''] = (request.url ?? '').split('?')
        const file = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length + 1) : ''
        if (!picture.test(file) || !existsSync(path.join(appDir, file))) return next()
        const extension = file.split('.').at(-1) ?? ''
        response.setHeader('content-type', types[extension] ?? `image/${extension}`)
        response.end(readFileSync(path.join(appDir, file)))
      })
    },
    buildStart() {
      if (this.environment.mode !== 'build' || this.environment.name !== 'client') return
      const { publicDir } = this.environment.config
      for (const fileName of picturesIn(appDir)) {
        if (existsSync(path.join(publicDir, fileName))) continue
        const source = readFileSync(path.join(appDir, fileName))
        this.emitFile({ type: 'asset', fileName, source })
      }
    },
  }
}

/** @returns the images' paths relative to the folder, which are also the paths in their URLs */
export function picturesIn(appDir: string): string[] {
  const files = readdirSync(appDir, { recursive: true, encoding: 'utf8' }).map(normalizePath)
  return files.filter((file) => picture.test(file))
}
