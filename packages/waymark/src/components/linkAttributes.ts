/** How following a link, or submitting a form that leads to a page, navigates. */
export type LinkSettings = {
  readonly replace: boolean
  /** `false` leaves the scroll position as it is. */
  readonly scroll: boolean
  /** `false`: its page is not prefetched. */
  readonly prefetch: boolean
}

export type LinkAttributes = { [Name in keyof LinkSettings as `data-${Name}`]?: string }

type OptionalLinkSettings = { readonly [Name in keyof LinkSettings]?: boolean | undefined }

type Encoded<Props> = Omit<Props, keyof LinkSettings> & LinkAttributes

/** Writes the settings among the props of a link as attributes; a default has none. */
export function encodeLink<Props extends OptionalLinkSettings>(props: Props): Encoded<Props> {
  // Most links have no setting, and a page may have hundreds of links: they are not copied.
  if (!('replace' in props || 'scroll' in props || 'prefetch' in props)) {
    return props as Encoded<Props>
  }
  const { replace, scroll, prefetch, ...attributes }: OptionalLinkSettings & LinkAttributes = props
  if (replace) attributes['data-replace'] = ''
  if (scroll === false) attributes['data-scroll'] = 'false'
  if (prefetch === false) attributes['data-prefetch'] = 'false'
  return attributes as Encoded<Props>
}

/** Reads the settings of an anchor or form: the inverse of `encodeLink`. */
export function decodeLink({ dataset }: Pick<HTMLElement, 'dataset'>): LinkSettings {
  const { replace, scroll, prefetch } = dataset
  return { replace: replace === '', scroll: scroll !== 'false', prefetch: prefetch !== 'false' }
}

/** On a GET form whose fields become the query of a page (`Form`). */
export const pageFormAttribute = 'data-waymark-form'
/** On an anchor that the browser follows itself: its target is loaded as a document. */
export const documentLinkAttribute = 'data-waymark-document'
/** On a form whose submits count each, however alike they are. */
export const repeatAttribute = 'data-waymark-repeat'
/** On a form whose fields stay as they are, whatever its action returns. */
export const keepFieldsAttribute = 'data-waymark-keep'
/** On or around fields whose loss nobody minds, as in a search box. */
export const volatileAttribute = 'data-waymark-volatile'
