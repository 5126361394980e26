import type { ReactNode } from 'react'
import { schemeOnlyAttribute, schemeOnlyStyle } from 'waymark/plugin/client'
import { type ImageProps, imageElements, sizesOf } from './ImageElement.tsx'
import { type ImportedImage, sourceSet } from './imageSource.ts'

/** Another picture, shown where its media query matches. */
export type PictureSource = {
  readonly media: string
  readonly src: ImportedImage
  /** Under a dark theme; default: `src`. */
  readonly dark?: ImportedImage
  readonly sizes?: string
}

export type PictureProps = Omit<ImageProps, 'src'> & {
  readonly src: ImportedImage
  /** Shown instead where the page is dark: by the theme that the person has chosen. */
  readonly dark?: ImportedImage
  /** Shown instead where their media match, the first that does. */
  readonly sources?: readonly PictureSource[]
}

/** An image with others in its place: by the view (art direction), by the theme. */
export function Picture({ dark, sources = [], ...props }: PictureProps): ReactNode {
  if (!dark && !sources.some((source) => source.dark)) return picture(props, sources)
  // The one that is hidden must not be loaded, which only lazy images are not.
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
