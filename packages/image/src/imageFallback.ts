// A file of its own, which any page can load without React: it imports nothing.

const attribute = 'data-waymark-fallback'

/** Shows the stand-in of an image that can't be loaded, once: it may be broken, too. */
function showFallback(image: HTMLImageElement): void {
  const url = image.getAttribute(attribute)
  if (url === null) return
  image.removeAttribute(attribute)
  for (const source of image.closest('picture')?.querySelectorAll('source') ?? []) source.remove()
  image.removeAttribute('srcset')
  image.style.background = ''
  image.src = url
}

// Errors of images don't bubble.
document.addEventListener(
  'error',
  ({ target }) => target instanceof HTMLImageElement && showFallback(target),
  true,
)
for (const image of document.querySelectorAll<HTMLImageElement>(`img[${attribute}]`)) {
  if (image.complete && image.naturalWidth === 0 && image.currentSrc !== '') showFallback(image)
}
