// This file imports nothing, so that any page can load it without React.

const attribute = 'data-waymark-fallback'

/**
 * Replaces an image that can't be loaded with its fallback. Does this only once for each image,
 * because the fallback may be broken, too.
 */
function showFallback(image: HTMLImageElement): void {
  const url = image.getAttribute(attribute)
  if (url === null) return
  image.removeAttribute(attribute)
  for (const source of image.closest('picture')?.querySelectorAll('source') ?? []) source.remove()
  image.removeAttribute('srcset')
  image.style.background = ''
  image.src = url
}

// Listen in the capture phase, because an image's `error` event doesn't bubble.
document.addEventListener(
  'error',
  ({ target }) => target instanceof HTMLImageElement && showFallback(target),
  true,
)
for (const image of document.querySelectorAll<HTMLImageElement>(`img[${attribute}]`)) {
  if (image.complete && image.naturalWidth === 0 && image.currentSrc !== '') showFallback(image)
}
