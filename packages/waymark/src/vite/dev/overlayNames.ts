/** The module that shows failures in the browser. */
export const overlayId = 'virtual:waymark/overlay'

/** Id of the element that holds them, as JSON. */
export const overlayData = 'waymark-failures'

/** Sent to browsers whenever a file of the app changes, comes or goes. */
export const changedEvent = 'waymark:changed'
