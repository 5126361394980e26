import * as reactDom from 'react-dom'
import { guardedHint } from './guard.ts'

/**
 * The `react-dom` that server components import. In React's own version, `preload()` and similar
 * functions send a resource hint at once. In this version, hints wait until the layouts around the
 * caller have let the request pass. Hints from a layout also wait for the layout itself.
 */
const guardedReactDom = {
  preconnect: guardedHint(reactDom.preconnect),
  prefetchDNS: guardedHint(reactDom.prefetchDNS),
  preinit: guardedHint(reactDom.preinit),
  preinitModule: guardedHint(reactDom.preinitModule),
  preload: guardedHint(reactDom.preload),
  preloadModule: guardedHint(reactDom.preloadModule),
  version: reactDom.version,
}

export default guardedReactDom
export const { preconnect, prefetchDNS, preinit, preinitModule, preload, preloadModule, version } =
  guardedReactDom
