import type { ImageFileKind } from '../../routing/imageFile.ts'
import type { IconObject, Metadata, ResolvedMetadata } from '../../shared/metadata.ts'
import { mergeMetadata, type PageLocation } from './merge.ts'

/** An image file of the app folder, for the pages at and below its folder. */
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

/** Images of a nearer folder replace those above, by kind. */
export function imagesOf(
  above: PageImages,
  { images = [] }: SourceImages,
  folder: string,
): PageImages {
  if (images.length === 0) return above
  const known: { -readonly [Kind in keyof PageImages]: PageImages[Kind] } = { ...above }
  for (const image of images) {
    const same = known[image.kind]
    const beside = same?.folder === folder ? same.images : []
    known[image.kind] = { folder, images: [...beside, image] }
  }
  return known
}

export function withoutOwn(images: PageImages, own: Metadata | null | undefined): PageImages {
  const left: { -readonly [Kind in keyof PageImages]: PageImages[Kind] } = { ...images }
  // `null` and an empty list mean none.
  const social = (field: 'openGraph' | 'twitter') =>
    own?.[field] === null || own?.[field]?.images !== undefined
  if (social('openGraph')) delete left['opengraph-image']
  if (social('twitter')) delete left['twitter-image']
  if (own?.icons !== undefined) {
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
  const { icons: own = {} } = metadata
  const added = {
    ...(favicon.length + icon.length + apple.length > 0 && {
      icons: {
        ...own,
        icon: [...favicon, ...(icon.length > 0 ? icon : (own.icon ?? []))],
        apple: apple.length > 0 ? apple : (own.apple ?? []),
      },
    }),
    ...(card.length > 0 && { openGraph: { ...metadata.openGraph, images: card } }),
    ...(twitter.length > 0 && { twitter: { ...metadata.twitter, images: twitter } }),
  }
  // Resolved fields are valid input; the type of a card belongs to its other fields.
  return mergeMetadata(metadata, added as Metadata, { page })
}

function iconOf({ url, type, width, height }: PageImage): IconObject {
  // Vector images fit any size, and an icon file may hold several.
  const isAny = type === 'image/svg+xml' || type === 'image/x-icon'
  const sizes = isAny ? 'any' : width && height ? `${width}x${height}` : undefined
  return { url, type, sizes }
}

function mediaOf({ url, type, width, height, alt }: PageImage) {
  return { url, type, width, height, alt }
}
