import { createElement, isValidElement, type ReactElement, type ReactNode } from 'react'

type Resources = (
  props: object,
) => ReactElement<{ children: (ReactElement<LinkProps> | undefined)[] }>
type LinkProps = { readonly href: string }

/** All styles of an app share one precedence: their order is that of the segments, root first. */
const precedence = 'waymark'

/**
 * The stylesheet links of a route file.
 * @param resources the element that plugin-rsc makes of `import.meta.viteRsc.loadCss`. A built
 *   one knows its links and is taken apart here, once, so that a file without styles costs a
 *   request nothing; one of the dev server finds them when it renders
 * @returns `null` for a file that brings no styles
 */
export function stylesOf(resources: ReactNode): ReactNode {
  if (!import.meta.env.__vite_rsc_build__ || !isValidElement(resources)) return resources
  const render = resources.type as Resources
  const links = render({}).props.children.filter((link) => link !== undefined)
  if (links.length === 0) return null
  return links.map(({ props: { href } }) =>
    createElement('link', { key: href, rel: 'stylesheet', href, precedence }),
  )
}
