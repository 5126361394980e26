import { unmounted } from '../../shared/basePath.ts'
import { tryOrUndefined } from '../../shared/neverThrows.ts'

/**
 * Gives each stylesheet of the dev server one place in the document. A file that server and client
 * components import is in the document twice: as a link, and as a style element that Vite's client
 * appends. The style element would override links that a later page adds, so it belongs to its link.
 *
 * @param root absolute path of the app's folder
 */
export function placeDevStyles({ head }: Document, root: string, basePath: string): void {
  const place = () => {
    const links = new Map<string, Element>()
    for (const link of head.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet][href]')) {
      links.set(linkedFile(new URL(link.href).pathname, root, basePath), link)
    }
    for (const style of head.querySelectorAll<HTMLElement>('style[data-vite-dev-id]')) {
      const link = links.get(style.dataset.viteDevId ?? '')
      if (link && link.nextElementSibling !== style) link.after(style)
    }
  }
  place()
  // React adds the link of a later page directly behind the last link, so in front of a style
  // element that belongs to the last link.
  new MutationObserver(place).observe(head, { childList: true })
}

/** Returns the path of the file that Vite serves at a pathname. */
export function linkedFile(pathname: string, root: string, basePath: string): string {
  const pathInApp = unmounted(pathname, basePath) ?? pathname
  // Vite leaves a percent sign in the name of a file as it is.
  const file = tryOrUndefined(() => decodeURI(pathInApp)) ?? pathInApp
  return file.startsWith(outside)
    ? file.slice(outside.length).replace(/^(?!\w:)/, '/')
    : root + file
}

// Prefix of the URLs of files outside of the app's folder.
const outside = '/@fs/'
