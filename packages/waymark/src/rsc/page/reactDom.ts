import * as reactDom from 'react-dom'
import { guardedHint } from './guard.ts'

/**
 * `react-dom` as an app and its packages import it in server components. React sends hints the moment
 * they are called for; these wait until the layouts around the caller have let the request pass. Those of
 * a layout wait for the layout itself.
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
