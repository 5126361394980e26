import { createReadStream } from 'node:fs'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream'
import { type Connect, type EnvironmentOptions, normalizePath, type Plugin } from 'vite'
import { assetsPrefix } from 'waymark/adapter'
import { definePackage } from 'waymark/plugin'
import {
  createVariants,
  listVariants,
  type SourceImage,
  type Variant,
  variantName,
} from './variants.ts'

type Variants = ReturnType<typeof createVariants>

const imported = /\?image(?:&avif)?$/

/**
 * Returns the Vite plugins that turn `import ridge from './ridge.jpg?image'` into data for
 * `<Image>`. A build writes the variants as assets. The dev server creates each variant when it is
 * first requested. Imports without `?image` don't change.
 */
export function images(): Plugin[] {
  const hostFeatures = { images: [new URL('./remote.js', import.meta.url)] }
  return [definePackage('@waymark/image', () => ({ hostFeatures })), imageFilesPlugin()]
}

function imageFilesPlugin(): Plugin {
  let variants: Variants | null = null
  let root = ''
  let base = '/'
  let isBuild = false
  // Variants that the dev server can create, keyed by their URL without the base.
  const devVariants = new Map<string, { readonly image: SourceImage; readonly variant: Variant }>()

  function devUrl(image: SourceImage, variant: Variant): string {
    const { name, ext } = path.parse(variantName(image, variant))
    const file = `${assetsPrefix.slice(1)}${name}-${image.hash.slice(0, 8)}${ext}`
    devVariants.set(file, { image, variant })
    return JSON.stringify(base + file)
  }

  return {
    name: 'waymark:images',
    enforce: 'pre',
    configEnvironment: compilePackageCode,
    configResolved(config) {
      root = config.root
      base = config.base
      isBuild = config.command === 'build'
      variants = createVariants({ root })
    },
    configureServer(server) {
      server.middlewares.use(
        serveVariants((url) => {
          const devVariant = url.startsWith(base) && devVariants.get(url.slice(base.length))
          return devVariant && variants
            ? variants.write(devVariant.image, devVariant.variant)
            : null
        }),
      )
    },
    load: {
      filter: { id: imported },
      async handler(id) {
        const file = id.replace(imported, '')
        if (!variants) return null
        this.addWatchFile(file)
        try {
          const image = await variants.open(file)
          const { write } = variants
          const imports: string[] = []
          const urlOf = async (variant: Variant) => {
            if (!isBuild) return devUrl(image, variant)
            const written = normalizePath(await write(image, variant))
            const local = `$${imports.length}`
            imports.push(`import ${local} from ${JSON.stringify(`${written}?no-inline`)}`)
            return local
          }
          const value = await writeValue(image, id.endsWith('&avif'), urlOf)
          return { code: `${imports.join('\n')}\nexport default ${value}`, map: null }
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error)
          return this.error(`Image ${normalizePath(path.relative(root, file))}: ${why}`)
        }
      },
    },
  }
}

/**
 * Excludes this package from bundling in advance, because bundled code couldn't find the URL of the
 * fallback script.
 */
function compilePackageCode(environment: string): EnvironmentOptions {
  const packages = ['@waymark/image']
  const optimizeDeps = { exclude: packages }
  return environment === 'client'
    ? { optimizeDeps }
    : { optimizeDeps, resolve: { noExternal: packages } }
}

/**
 * Returns the code for an imported image's value. Creates variants one after another, because
 * sharp uses all cores for each variant.
 */
async function writeValue(
  image: SourceImage,
  hasAvif: boolean,
  urlOf: (variant: Variant) => Promise<string>,
): Promise<string> {
  const { plain, webp, avif } = listVariants(image, hasAvif)
  const writeList = async (list: readonly Variant[]) => {
    const items: string[] = []
    for (const variant of list) items.push(`[${await urlOf(variant)}, ${variant.width}]`)
    return `[${items.join(', ')}]`
  }
  const { width, height, placeholder } = image
  const src = await urlOf(plain)
  const sets = [`webp: ${await writeList(webp)}`]
  if (avif) sets.push(`avif: ${await writeList(avif)}`)
  const facts = JSON.stringify({ width, height, placeholder }).slice(1, -1)
  return `{ "src": ${src}, ${facts}, "variants": { ${sets.join(', ')} } }`
}

const types: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
}

/**
 * @param find receives a URL path, and returns a promise of the variant's file; `null` if the path
 * isn't a variant's
 */
function serveVariants(
  find: (pathname: string) => Promise<string> | null,
): Connect.NextHandleFunction {
  return ({ url = '' }, res, next) => {
    const writing = find(url.replace(/[?#].*$/, ''))
    if (!writing) return next()
    writing.then((file) => sendFile(file, res, next), next)
  }
}

function sendFile(file: string, res: ServerResponse, next: Connect.NextFunction): void {
  res.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream')
  res.setHeader('cache-control', 'max-age=31536000, immutable')
  const content = createReadStream(file)
  content.once('error', next)
  pipeline(content, res, () => {})
}
