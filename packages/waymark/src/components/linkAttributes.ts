/** Navigation settings of a link, or of a form that leads to a page. */
export type LinkSettings = {
  /** True if the page replaces the current history entry. */
  readonly replace: boolean
  /** False if the scroll position should stay unchanged. */
  readonly scroll: boolean
  /** False if the page should not be prefetched. */
  readonly prefetch: boolean
}

export type LinkAttributes = { [Name in keyof LinkSettings as `data-${Name}`]?: string }

type OptionalLinkSettings = { readonly [Name in keyof LinkSettings]?: boolean | undefined }

type Encoded<Props> = Omit<Props, keyof LinkSettings> & LinkAttributes

/** Replaces the settings among a link's props with attributes. Default values need none. */
export function encodeLink<Props extends OptionalLinkSettings>(props: Props): Encoded<Props> {
  // Most links have no settings, and a page may have hundreds, so avoid copying their props.
  if (!('replace' in props || 'scroll' in props || 'prefetch' in props)) {
    return props as Encoded<Props>
  }
  const { replace, scroll, prefetch, ...attributes }: OptionalLinkSettings & LinkAttributes = props
  if (replace) attributes['data-replace'] = ''
  if (scroll === false) attributes['data-scroll'] = 'false'
  if (prefetch === false) attributes['data-prefetch'] = 'false'
  return attributes as Encoded<Props>
}

/** Reads the settings of an anchor or form. The inverse of `encodeLink`. */
export function decodeLink({ dataset }: Pick<HTMLElement, 'dataset'>): LinkSettings {
  const { replace, scroll, prefetch } = dataset
  return { replace: replace === '', scroll: scroll !== 'false', prefetch: prefetch !== 'false' }
}

/** Marks a GET form whose fields become a page's query (`Form`). */
export const pageFormAttribute = 'data-waymark-form'
/** Marks an anchor that the router ignores, so that the browser loads its target as a document. */
export const documentLinkAttribute = 'data-waymark-document'
/** Marks a form whose action runs on each submission, even if the fields are the same as before. */
export const repeatAttribute = 'data-waymark-repeat'
/** Marks a form whose fields aren't reset after its action. */
export const keepFieldsAttribute = 'data-waymark-keep'
/**
 * Marks fields whose text may be lost, or an element around such fields, for example a search box.
 */
export const volatileAttribute = 'data-waymark-volatile'
