import { isClientReference } from '../../react/clientReference.ts'
import { pathnameOf } from '../../routing/href.ts'
import {
  fileParam,
  type ImageFile,
  type ImageFileKind,
  imageFileName,
  imageFileOf,
  imageUrlName,
} from '../../routing/routeFile.ts'
import { withBasePath } from '../../shared/basePath.ts'
import { frameworkError } from '../../shared/errors.ts'
import { mergeMetadata, type PageLocation } from './merge.ts'
import type { IconObject, Metadata, ResolvedMetadata } from './metadata.ts'

/** An image file in the app folder, for the pages in its folder and below. */
export type PageImage = {
  readonly kind: ImageFileKind
  readonly url: string
  readonly type: string
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly alt?: string | undefined
}

export type SourceImages = {
  readonly images?: readonly PageImage[] | undefined
  readonly generateImages?: GenerateImages | undefined
}

type GenerateImages = (props: {
  readonly params: Promise<Readonly<Record<string, string | readonly string[]>>>
}) => Promise<readonly PageImage[]>

export type PageImages = {
  readonly [Kind in ImageFileKind]?: {
    readonly folder: string
    readonly images: readonly PageImage[]
  }
}

/** Merges images by kind. Images in a nearer folder replace those in the folders above. */
export function imagesOf(
  above: PageImages,
  { images = [] }: SourceImages,
  folder: string,
): PageImages {
  if (images.length === 0) return above
  const merged: { -readonly [Kind in keyof PageImages]: PageImages[Kind] } = { ...above }
  for (const image of images) {
    const same = merged[image.kind]
    const beside = same?.folder === folder ? same.images : []
    merged[image.kind] = { folder, images: [...beside, image] }
  }
  return merged
}

export function withoutReplaced(
  images: PageImages,
  metadata: Metadata | null | undefined,
): PageImages {
  const left: { -readonly [Kind in keyof PageImages]: PageImages[Kind] } = { ...images }
  // If the app sets the field to `null` or an empty list, the page has no images, so add none.
  const social = (field: 'openGraph' | 'twitter') =>
    metadata?.[field] === null || metadata?.[field]?.images !== undefined
  if (social('openGraph')) delete left['opengraph-image']
  if (social('twitter')) delete left['twitter-image']
  if (metadata?.icons !== undefined) {
    delete left.icon
    delete left['apple-icon']
  }
  return left
}

export function withImages(
  metadata: ResolvedMetadata,
  images: PageImages,
  page: PageLocation,
): ResolvedMetadata {
  const of = (kind: ImageFileKind) => images[kind]?.images ?? []
  const favicon = of('favicon').map(iconOf)
  const icon = of('icon').map(iconOf)
  const apple = of('apple-icon').map(iconOf)
  const card = of('opengraph-image').map(mediaOf)
  const twitter = of('twitter-image').map(mediaOf)
  const { icons = {} } = metadata
  const added = {
    ...(favicon.length + icon.length + apple.length > 0 && {
      icons: {
        ...icons,
        icon: [...favicon, ...(icon.length > 0 ? icon : (icons.icon ?? []))],
        apple: apple.length > 0 ? apple : (icons.apple ?? []),
      },
    }),
    ...(card.length > 0 && { openGraph: { ...metadata.openGraph, images: card } }),
    ...(twitter.length > 0 && { twitter: { ...metadata.twitter, images: twitter } }),
  }
  return mergeMetadata(metadata, added, { page })
}

function iconOf({ url, type, width, height }: PageImage): IconObject {
  // A vector image fits any size, and an icon file may contain several sizes.
  const isAny = type === 'image/svg+xml' || type === 'image/x-icon'
  const sizes = isAny ? 'any' : width && height ? `${width}x${height}` : undefined
  return { url, type, sizes }
}

function mediaOf({ url, type, width, height, alt }: PageImage) {
  return { url, type, width, height, alt }
}

type Module = Readonly<Record<string, unknown>>
type Params = Readonly<Record<string, string | readonly string[]>>

export type ImageMetadata = {
  readonly id?: string | number | undefined
  readonly alt?: string | undefined
  readonly size?: { readonly width: number; readonly height: number } | undefined
  readonly contentType?: string | undefined
}

type ImageModule = ImageMetadata & {
  readonly default: (props: ImageProps) => unknown
  readonly generateImageMetadata?: (props: {
    params: Promise<Params>
  }) => readonly ImageMetadata[] | Promise<readonly ImageMetadata[]>
}

type ImageProps = { readonly params: Promise<Params>; readonly id: Promise<string | undefined> }
type GenerateParams = (props: { params: Params }) => readonly Params[] | Promise<readonly Params[]>

/**
 * Creates the module for an image. The module of an image with its own URL, such as `/favicon.ico`,
 * also responds to requests. For an asset, it only contains data for the head.
 */
export function pictureModule(module: Module): Module {
  const { image, bytes } = module as { image: PageImage; bytes?: string }
  const images = [image]
  if (bytes === undefined) return { images }
  const headers = { 'content-type': image.type }
  const respond = () => new Response(Buffer.from(bytes, 'base64'), { headers })
  return { images, GET: respond, dynamic: 'force-static' }
}

/**
 * Creates the route module for a generated image.
 * @param page the page next to the image, with which the image is prerendered
 */
export function imageRoute(file: string, module: Module, page: Module | undefined): Module {
  const image = imageFileOf(file) as ImageFile
  if (typeof module.default !== 'function' || isClientReference(module.default)) {
    throw frameworkError('METADATA_FILE_EXPORT', { file: `app/${file}`, kind: 'image' })
  }
  // The module's results are checked when it runs, so cast.
  const imageModule = module as ImageModule
  const { dynamic = 'auto', revalidate, expire } = module
  const list = (params: Params) => listImages(imageModule, file, params)
  const pattern = patternOfImage(file, image)
  return {
    GET: (_request: Request, context: { params: Promise<Params> }) =>
      respondWithImage(imageModule, file, context),
    async generateImages({ params }: { params: Promise<Params> }): Promise<readonly PageImage[]> {
      const resolvedParams = await params
      return (await list(resolvedParams)).map(({ name, size, alt, contentType }) => ({
        kind: image.kind,
        url: withBasePath(pathnameOf(pattern, { ...resolvedParams, [fileParam]: name })),
        type: contentType,
        ...size,
        alt,
      }))
    },
    generateStaticParams: staticParamsOf(file, { image: module, page }, async (resolvedParams) =>
      (await list(resolvedParams)).map(({ name }) => name),
    ),
    dynamic,
    revalidate,
    expire,
    dynamicParams: module.dynamicParams ?? page?.dynamicParams,
  }
}

/**
 * Creates `generateStaticParams` for a module that creates several files: the params of the module
 * or the page, combined with each file name.
 */
export function staticParamsOf(
  file: string,
  modules: { readonly image: Module; readonly page: Module | undefined },
  namesOf: (params: Params) => Promise<readonly string[]>,
): (props: { params: Params }) => Promise<readonly Params[]> {
  const generate = modules.image.generateStaticParams ?? modules.page?.generateStaticParams
  const needed = [...file.matchAll(/\[\.*([^\]]+)\]/g)].map(([, name = '']) => name)
  return async ({ params }) => {
    // The build checks the result, so cast the function.
    const sets = generate ? await (generate as GenerateParams)({ params }) : [{}]
    const hasAllParams = (set: Params) =>
      needed.every((name) => Object.hasOwn({ ...params, ...set }, name))
    // Without all params, the files are created on request.
    if (!sets.every(hasAllParams)) return sets
    const named = sets.map(async (set) =>
      (await namesOf({ ...params, ...set })).map((name) => ({ ...set, [fileParam]: name })),
    )
    return (await Promise.all(named)).flat()
  }
}

/**
 * Returns the ids of the files to create. @throws `METADATA_FILE_RESULT` if an id doesn't fit into
 * a URL
 */
export function idsOf(
  file: string,
  listed: unknown,
  { name, shape }: { readonly name: string; readonly shape: string },
): readonly string[] {
  const ids = Array.isArray(listed) ? listed.map((each) => String(each?.id ?? '')) : ['']
  if (ids.every((id) => /^[\w-]+$/.test(id))) return ids
  const reason = `${name} did not return a list of ids made of letters, digits, - and _`
  throw frameworkError('METADATA_FILE_RESULT', { file: `app/${file}`, reason, shape })
}

type NamedImage = ImageMetadata & { readonly name: string; readonly contentType: string }

async function listImages(
  module: ImageModule,
  file: string,
  params: Params,
): Promise<readonly NamedImage[]> {
  const { generateImageMetadata, alt, size, contentType = 'image/png' } = module
  const listed = await generateImageMetadata?.({ params: Promise.resolve(params) })
  const shape = "one such as [{ id: 'small', size: { width: 48, height: 48 } }]"
  if (generateImageMetadata) idsOf(file, listed, { name: 'generateImageMetadata', shape })
  return (listed ?? [{}]).map((listedImage) => {
    const type = listedImage.contentType ?? contentType
    const name = imageFileName(String(listedImage.id ?? 'image'), type)
    return { alt, size, ...listedImage, contentType: type, name }
  })
}

async function respondWithImage(
  module: ImageModule,
  file: string,
  context: { params: Promise<Params> },
): Promise<Response> {
  const { [fileParam]: name, ...params } = await context.params
  const image = (await listImages(module, file, params)).find((each) => each.name === name)
  if (!image) return new Response('404 Not Found\n', { status: 404 })
  const id = image.id === undefined ? undefined : String(image.id)
  const drawn = await module.default({ params: Promise.resolve(params), id: Promise.resolve(id) })
  const response = drawn instanceof Response ? drawn : new Response(drawn as BodyInit)
  // If the image fails halfway, the status must be an error, so read the whole body before the
  // status is sent.
  const bytes = await response.arrayBuffer()
  if (response.ok && bytes.byteLength === 0) {
    throw frameworkError('METADATA_FILE_RESULT', {
      file: `app/${file}`,
      reason: 'it returned an empty image',
      shape: 'the bytes of an image, or a Response of them: new ImageResponse(<div>…</div>)',
    })
  }
  const headers = new Headers(response.headers)
  if (!(drawn instanceof Response)) headers.set('content-type', image.contentType)
  return new Response(bytes, { status: response.status, headers })
}

function patternOfImage(file: string, image: ImageFile): string {
  const folders = file.split('/').slice(0, -1)
  const inUrl = folders.filter((folder) => !folder.startsWith('('))
  return `/${[...inUrl, imageUrlName(file, image), `[${fileParam}]`].join('/')}`
}
