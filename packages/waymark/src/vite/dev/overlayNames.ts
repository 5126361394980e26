/** The module that shows failures in the browser. */
export const overlayId = 'virtual:waymark/overlay'

/** Id of the element that holds them, as JSON. */
export const overlayData = 'waymark-failures'

/** Where the dev server lists the errors of the journal; one by its digest stands below. */
export const journalPath = '/_waymark/dev/errors'

/** Sent to browsers whenever a file of the app changes, comes or goes, and when one connects. */
export const changedEvent = 'waymark:changed'

/** How long ago a file was changed last; `null` of none: JSON knows no infinity. */
export type Change = { readonly agoMs: number | null }
