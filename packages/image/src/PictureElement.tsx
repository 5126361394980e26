import type { ReactNode } from 'react'
import { schemeOnlyAttribute, schemeOnlyStyle } from 'waymark/plugin/client'
import { type ImageProps, imageElements, sizesOf } from './ImageElement.tsx'
import { type ImportedImage, sourceSet } from './imageSource.ts'

/** An alternative image that is shown if its media query matches. */
export type PictureSource = {
  readonly media: string
  readonly src: ImportedImage
  /** Image to show if the page is dark. Default: `src`. */
  readonly dark?: ImportedImage
  readonly sizes?: string
}

export type PictureProps = Omit<ImageProps, 'src'> & {
  readonly src: ImportedImage
  /** Image to show if the page is dark, according to the theme that the user has chosen. */
  readonly dark?: ImportedImage
  /** Alternative images. The first image whose media query matches is shown. */
  readonly sources?: readonly PictureSource[]
}

/** Renders an image with alternatives for other viewports (art direction) and for dark pages. */
export function Picture({ dark, sources = [], ...props }: PictureProps): ReactNode {
  if (!dark && !sources.some((source) => source.dark)) return picture(props, sources)
  // Make both images lazy, because browsers load a hidden image unless it is lazy.
  const lazy = { ...props, loading: 'lazy' as const }
  const darkSources = sources.map(({ dark, src, ...rest }) => ({ ...rest, src: dark ?? src }))
  return (
    <>
      <style href="waymark-picture" precedence="waymark-picture">
        {schemeOnlyStyle}
      </style>
      {picture(lazy, sources, 'light')}
      {picture({ ...lazy, src: dark ?? props.src }, darkSources, 'dark')}
    </>
  )
}

function picture(
  props: ImageProps,
  sources: readonly PictureSource[],
  scheme?: 'light' | 'dark',
): ReactNode {
  const { img, avif, isLazy } = imageElements(props, sources.length > 0 || scheme !== undefined)
  return (
    <picture {...(scheme && { [schemeOnlyAttribute]: scheme })}>
      {sources.map((source) => sourceElements(source, isLazy))}
      {avif}
      {img}
    </picture>
  )
}

function sourceElements({ media, src, sizes = '100vw' }: PictureSource, isLazy: boolean) {
  const options = { width: undefined, height: undefined, hasSizes: true, loader: undefined }
  const { srcSet, avifSet, width, height } = sourceSet(src, options)
  const rest = { media, width, height, sizes: sizesOf(sizes, isLazy) }
  return [
    avifSet && <source key={`${media} avif`} type="image/avif" srcSet={avifSet} {...rest} />,
    <source key={media} srcSet={srcSet} {...rest} />,
  ]
}
